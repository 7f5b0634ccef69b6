package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"bohnenspiel/solver/game"
)

// Located is a line and where it stands.
type Located struct {
	Line
	File   string
	Number int // from 1
}

// Where returns the place, such as "opening.campaign:17".
func (l Located) Where() string { return fmt.Sprintf("%s:%d", l.File, l.Number) }

// File is the file of a campaign, open for reading and appending. Other processes may
// append to it at the same time. Its methods must not be called at the same time.
type File struct {
	path    string
	file    *os.File
	game    game.Game
	offset  int64 // of the first byte that has not been read as a line
	number  int   // of lines read
	unsaved bool  // something was written since the last sync
	synced  time.Time
	torn    bool // the last write was cut short
}

// syncPause is the time after which what outlives a kill of the process is made to outlive
// one of the system as well.
const syncPause = 5 * time.Second

// Create makes a new file with a header and questions. It returns an error that wraps
// fs.ErrExist if there is one.
func Create(path string, g game.Game, asks ...Line) (err error) {
	const readable = 0o644
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, readable)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			_ = os.Remove(path) // the first error says more
		}
	}()
	var text bytes.Buffer
	for _, line := range append([]Line{{Kind: Header, Game: g}}, asks...) {
		line.Game = g
		text.WriteString(line.String() + "\n")
	}
	if _, err := file.Write(text.Bytes()); err != nil {
		return err
	}
	return file.Sync()
}

// Open opens a file for reading and appending. Errors are those of the system; what the
// file holds is seen by Read.
func Open(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file}
	if err := f.mend(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

// mend ends a last line that was cut off, so that others can follow it.
func (f *File) mend() error {
	info, err := f.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var last [1]byte
	if _, err := f.file.ReadAt(last[:], info.Size()-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		_, err = f.file.WriteString(cutMark + "\n")
	}
	return err
}

// Game returns the game, once a Read has seen the header.
func (f *File) Game() game.Game { return f.game }

// Close makes what was written durable, and closes the file.
func (f *File) Close() error {
	var err error
	if f.unsaved {
		err = f.file.Sync()
	}
	return errors.Join(err, f.file.Close())
}

// Append adds lines. They are seen by the next Read, of this process and of others.
func (f *File) Append(lines ...Line) error {
	const most = 1 << 16
	var text []byte
	if f.torn {
		text = append(text, cutMark+"\n"...)
	}
	for i, line := range lines {
		text = append(text, line.String()...)
		text = append(text, '\n')
		if i < len(lines)-1 && len(text) < most {
			continue
		}
		n, err := f.file.Write(text) // in one piece, so that lines of others don't come between
		f.unsaved = true
		if err != nil {
			f.torn = n > 0 && text[n-1] != '\n'
			return err
		}
		f.torn, text = false, text[:0]
	}
	if now := time.Now(); now.Sub(f.synced) >= syncPause {
		if err := f.file.Sync(); err != nil {
			return err
		}
		f.synced, f.unsaved = now, false
	}
	return nil
}

// Read returns the lines that were added since the last Read, the header first. What
// stands after the last end of a line is left for later. Errors name the line, and wrap
// ErrNotCampaign, ErrDamaged, or ErrOtherGame.
func (f *File) Read() ([]Located, error) {
	text, err := io.ReadAll(io.NewSectionReader(f.file, f.offset, 1<<62))
	if err != nil {
		return nil, err
	}
	var lines []Located
	for {
		line, rest, ok := bytes.Cut(text, []byte("\n"))
		if !ok {
			break
		}
		f.number++
		f.offset += int64(len(line)) + 1
		text = rest
		if bytes.HasSuffix(line, []byte(cutMark)) {
			continue
		}
		l := Located{File: f.path, Number: f.number}
		if l.Line, err = parseLine(f.game, string(line)); err != nil {
			if f.number == 1 && !bytes.HasPrefix(line, []byte(kinds[Header])) {
				err = fmt.Errorf("%w: it does not begin as one", ErrNotCampaign)
				return nil, fmt.Errorf("%s: %w", f.path, err)
			}
			return nil, fmt.Errorf("%s: %w", l.Where(), err)
		}
		if l.Kind == Header {
			f.game = l.Game
		}
		lines = append(lines, l)
	}
	if f.game == (game.Game{}) {
		return nil, fmt.Errorf("%s: %w: it is empty", f.path, ErrNotCampaign)
	}
	return lines, nil
}

// ReadFile returns the lines of a file, the header first. Errors are those of Read, and of
// the system.
func ReadFile(path string) (lines []Located, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file}
	lines, err = f.Read()
	return lines, errors.Join(err, file.Close())
}

// Merge appends to a file the lines of others that it does not have, and returns how many
// they are. It changes nothing where the files are of different games or contradict each
// other, which are errors that wrap ErrOtherGame and ErrContradiction. Processes that are
// at work on the file see the lines at once.
func Merge(into string, from ...string) (added int, err error) {
	f, err := Open(into)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines, err := f.Read()
	if err != nil {
		return 0, err
	}
	facts := newFacts()
	have := make(map[string]bool, len(lines))
	for _, l := range lines {
		have[l.String()] = true
		if err := facts.add(l); err != nil {
			return 0, err
		}
	}
	var missing []Line
	for _, path := range from {
		lines, err := ReadFile(path)
		if err != nil {
			return 0, err
		}
		for _, l := range lines {
			if l.Game != f.game {
				return 0, fmt.Errorf("%s: %w: %s is of %v, 2×%d", path, ErrOtherGame, into, f.game.Rules(), f.game.Width())
			}
			if text := l.String(); !have[text] {
				have[text] = true
				missing = append(missing, l.Line)
			}
			if err := facts.add(l); err != nil {
				return 0, err
			}
		}
	}
	if len(missing) == 0 {
		return 0, nil
	}
	return len(missing), f.Append(missing...)
}
