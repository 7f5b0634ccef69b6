package proof

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// searchFile keeps what a search remembers, so that it can go on after a stop. It lies in
// the directory of a database, one for each position that is being searched. It is a
// header of 48 bytes and a zstd stream of records. Numbers are big-endian.
//
//	offset size
//	0      4    "BnsS"
//	4      1    format version
//	5      1    rules
//	6      1    width
//	7      1    zero
//	8      8    mover's row of the position searched
//	16     8    opponent's row
//	24     8    signature of the tables, as beside kept bounds
//	32     8    positions visited so far
//	40     8    checksum: xxHash64 of bytes 0 to 39 and of the stream
//
// A record of 33 bytes is the mover's row, the opponent's row, the bound (1 byte,
// signed), and the numbers Yes, No, Length and Work of search.Record.
//
// A file that is damaged, or of another position, version or other tables, counts as
// none.
type searchFile struct {
	dir       string
	game      game.Game
	position  game.Position
	signature uint64
}

const (
	searchMagic      = "BnsS"
	searchHeaderSize = 48
	searchChecksumAt = 40
	searchRecordSize = 33
)

// path returns the file.
func (f *searchFile) path() string {
	return filepath.Join(f.dir, fmt.Sprintf("SEARCH-%v-%d-%015x-%015x", f.game.Rules(), f.game.Width(), uint64(f.position.Mover), uint64(f.position.Opponent)))
}

// header returns the header without its checksum.
func (f *searchFile) header(visited uint64) []byte {
	header := append([]byte(searchMagic), format.Version, byte(f.game.Rules()), byte(f.game.Width()), 0)
	for _, number := range []uint64{uint64(f.position.Mover), uint64(f.position.Opponent), f.signature, visited} {
		header = binary.BigEndian.AppendUint64(header, number)
	}
	return header
}

// save writes records in the place of what was there. Where it need not be durable it
// outlives the process, but perhaps not the system: then it may be damaged.
func (f *searchFile) save(visited uint64, records iter.Seq[search.Record], durable bool) error {
	return store.Replace(f.path(), durable, func(file *os.File) error { return f.write(file, visited, records) })
}

func (f *searchFile) write(file *os.File, visited uint64, records iter.Seq[search.Record]) error {
	digest := xxhash.New()
	header := f.header(visited)
	_, _ = digest.Write(header) // it never fails
	if _, err := file.Write(append(header, make([]byte, format.ChecksumSize)...)); err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(io.MultiWriter(file, digest), 1<<20)
	packer, err := zstd.NewWriter(buffered, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithNoEntropyCompression(true), zstd.WithEncoderCRC(false)) // time counts more than bytes
	if err != nil {
		return err
	}
	record := make([]byte, 0, searchRecordSize)
	for r := range records {
		record = binary.BigEndian.AppendUint64(record[:0], uint64(r.Question.Position.Mover))
		record = binary.BigEndian.AppendUint64(record, uint64(r.Question.Position.Opponent))
		record = append(record, byte(r.Question.Bound))
		for _, number := range []uint32{r.Yes, r.No, r.Length, r.Work} {
			record = binary.BigEndian.AppendUint32(record, number)
		}
		if _, err := packer.Write(record); err != nil {
			return err
		}
	}
	if err := errors.Join(packer.Close(), buffered.Flush()); err != nil {
		return err
	}
	_, err = file.WriteAt(binary.BigEndian.AppendUint64(nil, digest.Sum64()), searchChecksumAt)
	return err
}

// load gives all records to restore, after it has verified all of them. It returns the
// positions visited, and how many records there are.
func (f *searchFile) load(restore func(search.Record)) (visited uint64, count int, err error) {
	file, err := os.Open(f.path())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, store.Failure("read", f.dir, err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	visited, ok := f.verify(file)
	if !ok {
		return 0, 0, nil
	}
	if _, err := file.Seek(searchHeaderSize, io.SeekStart); err != nil {
		return 0, 0, store.Failure("read", f.dir, err)
	}
	unpacker, err := zstd.NewReader(bufio.NewReaderSize(file, 1<<20), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return 0, 0, err
	}
	defer unpacker.Close()
	record := make([]byte, searchRecordSize)
	for ; ; count++ {
		if _, err := io.ReadFull(unpacker, record); errors.Is(err, io.EOF) {
			return visited, count, nil
		} else if err != nil {
			return 0, 0, fmt.Errorf("%w: %s: %w; delete it", format.ErrCorrupt, f.path(), err)
		}
		number := func(at int) uint32 { return binary.BigEndian.Uint32(record[at:]) }
		restore(search.Record{
			Question: search.Question{
				Position: game.Position{
					Mover:    game.Row(binary.BigEndian.Uint64(record)),
					Opponent: game.Row(binary.BigEndian.Uint64(record[8:])),
				},
				Bound: int8(record[16]),
			},
			Yes: number(17), No: number(21), Length: number(25), Work: number(29),
		})
	}
}

// verify reports whether a file is whole and of this search.
func (f *searchFile) verify(file io.Reader) (visited uint64, ok bool) {
	header := make([]byte, searchHeaderSize)
	if _, err := io.ReadFull(file, header); err != nil {
		return 0, false
	}
	visited = binary.BigEndian.Uint64(header[32:])
	if string(header[:searchChecksumAt]) != string(f.header(visited)) {
		return 0, false
	}
	digest := xxhash.New()
	_, _ = digest.Write(header[:searchChecksumAt]) // it never fails
	if _, err := io.Copy(digest, file); err != nil {
		return 0, false
	}
	return visited, digest.Sum64() == binary.BigEndian.Uint64(header[searchChecksumAt:])
}

// remove deletes the file, and what a search has left that was killed as it wrote one.
func (f *searchFile) remove() error { return store.Discard(f.path()) }
