package proof

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// A certificate is a proof of what the score of a position is, or between which bounds,
// for anybody to check with the rules and the tables. It is a list of claims: "the score
// of this position is at least b", with a move that shows it, or "it is not, whatever is
// played". docs/algorithm.md says why claims that pass the check are right.
//
// A file is a header of 16 bytes and a zstd stream. Numbers are big-endian.
//
//	offset size
//	0      8    "BnsCert1": a certificate, version 1
//	8      8    checksum: xxHash64 of all bytes after 15
//
// The stream:
//
//	size
//	1     rules
//	1     width
//	8     mover's row
//	8     opponent's row
//	1     low, signed: the score is at least this
//	1     high, signed: and at most this
//	1     largest layer of the tables, 255 for none
//	32    SHA-256 of each layer of the tables, of its parity from the lowest up
//	8     number of claims
//	…     the claims, each
//	        varint  beans
//	        varint  rank
//	        varint  mover's row; less that of the claim before if beans and rank are the same
//	        varint  opponent's row
//	        1       bound b, signed
//	        1       move: a pit from 0, or 254 for a pass; 255 for "it is not, whatever is played"
//
// Claims are in ascending order of beans, rank, mover's row, opponent's row and bound.
type certificate struct {
	game      game.Game
	position  game.Position
	low, high int
	top       int // the largest layer of the tables, or −1
	tables    [][32]byte
	claims    []claim
}

// CertificateVersion is the version of certificates that this program writes, and the only
// one that it reads.
const CertificateVersion = 1

const (
	certificateMagic      = "BnsCert1" // ends with the version
	certificateHeaderSize = 16
	moveAll               = 255
	movePass              = 254
	// maxClaims and maxWindow bound the memory that a file can ask for. So does that claims are
	// in order and of positions, which no short stream gives many of.
	maxClaims = 1 << 31
	maxWindow = 64 << 20
)

// claim says that the score of a position is at least a bound, or is not.
type claim struct {
	position game.Position
	rank     uint32
	bound    int8
	move     uint8 // moveAll if it is not
	beans    uint8
}

// compare orders claims as in a file.
func (c claim) compare(other claim) int {
	return cmp.Or(
		cmp.Compare(c.beans, other.beans),
		cmp.Compare(c.rank, other.rank),
		cmp.Compare(c.position.Mover, other.position.Mover),
		cmp.Compare(c.position.Opponent, other.position.Opponent),
		cmp.Compare(c.bound, other.bound),
	)
}

// write writes the certificate. It sorts the claims.
func (c *certificate) write(w io.Writer) error {
	slices.SortFunc(c.claims, claim.compare)
	var stream bytes.Buffer
	packer, err := zstd.NewWriter(&stream, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	head := []byte{byte(c.game.Rules()), byte(c.game.Width())}
	head = binary.BigEndian.AppendUint64(head, uint64(c.position.Mover))
	head = binary.BigEndian.AppendUint64(head, uint64(c.position.Opponent))
	head = append(head, byte(c.low), byte(c.high), byte(c.top)) // −1 is 255
	for _, hash := range c.tables {
		head = append(head, hash[:]...)
	}
	head = binary.BigEndian.AppendUint64(head, uint64(len(c.claims)))
	if _, err := packer.Write(head); err != nil {
		return err
	}
	var last claim
	var text []byte
	for i, e := range c.claims {
		mover := uint64(e.position.Mover)
		if i > 0 && e.beans == last.beans && e.rank == last.rank {
			mover -= uint64(last.position.Mover)
		}
		text = binary.AppendUvarint(text[:0], uint64(e.beans))
		text = binary.AppendUvarint(text, uint64(e.rank))
		text = binary.AppendUvarint(text, mover)
		text = binary.AppendUvarint(text, uint64(e.position.Opponent))
		text = append(text, byte(e.bound), e.move)
		if _, err := packer.Write(text); err != nil {
			return err
		}
		last = e
	}
	if err := packer.Close(); err != nil {
		return err
	}
	header := binary.BigEndian.AppendUint64([]byte(certificateMagic), xxhash.Sum64(stream.Bytes()))
	_, err = w.Write(append(header, stream.Bytes()...))
	return err
}

// readCertificate reads a certificate and verifies its form, but no claim. The error
// wraps ErrCertificate.
func readCertificate(r io.Reader) (*certificate, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	switch {
	case len(data) < certificateHeaderSize || string(data[:8]) != certificateMagic:
		return nil, fmt.Errorf("%w: it does not begin as one, or is of another version", ErrCertificate)
	case xxhash.Sum64(data[certificateHeaderSize:]) != binary.BigEndian.Uint64(data[8:]):
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrCertificate)
	}
	unpacker, err := zstd.NewReader(bytes.NewReader(data[certificateHeaderSize:]), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	in := bufio.NewReaderSize(unpacker, 1<<16)
	c, count, err := readCertificateHead(in)
	if err != nil {
		return nil, certificateError(err)
	}
	for i := range count {
		e, err := readClaim(in, c.game.Width(), c.claims)
		if err != nil {
			return nil, fmt.Errorf("claim %d: %w", i, certificateError(err))
		}
		c.claims = append(c.claims, e)
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: it goes on after its end", ErrCertificate)
	}
	return c, nil
}

// certificateError makes an error one of a certificate.
func certificateError(err error) error {
	if errors.Is(err, ErrCertificate) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrCertificate, err)
}

// readCertificateHead reads what stands before the claims, and how many they are.
func readCertificateHead(in *bufio.Reader) (*certificate, uint64, error) {
	var head [21]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, 0, err
	}
	rules := game.Rules(head[0])
	if rules > game.Mangala {
		return nil, 0, fmt.Errorf("%w: it has unknown rules", ErrCertificate)
	}
	g, err := game.New(rules, int(head[1]))
	if err != nil {
		return nil, 0, err
	}
	c := &certificate{
		game: g,
		position: game.Position{
			Mover: game.Row(binary.BigEndian.Uint64(head[2:])), Opponent: game.Row(binary.BigEndian.Uint64(head[10:])),
		},
		low: int(int8(head[18])), high: int(int8(head[19])), top: int(head[20]),
	}
	beans, err := tablebase.CountBeans(g.Width(), c.position)
	if err != nil {
		return nil, 0, err
	}
	if c.top == math.MaxUint8 {
		c.top = -1
	}
	if c.top > beans || c.top >= 0 && (beans-c.top)%2 != 0 || c.low > c.high {
		return nil, 0, fmt.Errorf("%w: its tables or bounds make no sense", ErrCertificate)
	}
	for n := c.top & 1; n <= c.top; n += 2 {
		var hash [32]byte
		if _, err := io.ReadFull(in, hash[:]); err != nil {
			return nil, 0, err
		}
		c.tables = append(c.tables, hash)
	}
	var count [8]byte
	if _, err := io.ReadFull(in, count[:]); err != nil {
		return nil, 0, err
	}
	claims := binary.BigEndian.Uint64(count[:])
	if claims > maxClaims {
		return nil, 0, fmt.Errorf("%w: it has too many claims", ErrCertificate)
	}
	return c, claims, nil
}

// readClaim reads the claim after others.
func readClaim(in *bufio.Reader, width int, before []claim) (claim, error) {
	var numbers [4]uint64
	for i := range numbers {
		var err error
		if numbers[i], err = binary.ReadUvarint(in); err != nil {
			return claim{}, err
		}
	}
	var tail [2]byte
	if _, err := io.ReadFull(in, tail[:]); err != nil {
		return claim{}, err
	}
	if numbers[0] > math.MaxUint8 || numbers[1] > math.MaxUint32 {
		return claim{}, fmt.Errorf("%w: its numbers are too large", ErrCertificate)
	}
	e := claim{
		position: game.Position{Mover: game.Row(numbers[2]), Opponent: game.Row(numbers[3])},
		beans:    uint8(numbers[0]), rank: uint32(numbers[1]), bound: int8(tail[0]), move: tail[1],
	}
	if len(before) > 0 {
		last := before[len(before)-1]
		if e.beans == last.beans && e.rank == last.rank {
			e.position.Mover += last.position.Mover
		}
		if last.compare(e) >= 0 {
			return claim{}, fmt.Errorf("%w: it is out of order", ErrCertificate)
		}
	}
	if beans, err := tablebase.CountBeans(width, e.position); err != nil || beans != int(e.beans) {
		return claim{}, fmt.Errorf("%w: its position is none of the board, or of other beans", ErrCertificate)
	}
	return e, nil
}

// hashes returns the SHA-256s of the tables of a game up to a layer, of its parity.
func hashes(db *tablebase.DB, g game.Game, top int) ([][32]byte, error) {
	var hashes [][32]byte
	for n := top & 1; n <= top; n += 2 {
		m, err := db.Manifest(format.KeyOf(g, n))
		if err != nil {
			return nil, err
		}
		hash, err := hex.DecodeString(m.SHA256)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, [32]byte(hash))
	}
	return hashes, nil
}
