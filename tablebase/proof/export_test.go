package proof

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/format"
)

// What follows opens what is kept of searches to tests.

// ParseKept reads what is kept of a position of a layer.
func ParseKept(k format.Key, value []byte) (Proven, error) {
	kept, _, _, err := parseKept(k, value)
	return kept, err
}

// Claim is a claim of a certificate.
type Claim struct {
	Position game.Position
	Beans    uint8
	Rank     uint32
	Bound    int8
	Move     uint8
}

// ReadClaims returns the claims of a certificate.
func ReadClaims(file []byte) ([]Claim, error) {
	c, err := readCertificate(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	claims := make([]Claim, len(c.claims))
	for i, e := range c.claims {
		claims[i] = Claim{e.position, e.beans, e.rank, e.bound, e.move}
	}
	return claims, nil
}

// ReplaceClaim returns a certificate with another claim in the place of one.
func ReplaceClaim(file []byte, i int, by Claim) ([]byte, error) {
	return rewrite(file, func(c *certificate) {
		c.claims[i] = claim{position: by.Position, beans: by.Beans, rank: by.Rank, bound: by.Bound, move: by.Move}
	})
}

// ShiftBounds returns a certificate with other bounds.
func ShiftBounds(file []byte, by int) ([]byte, error) {
	return rewrite(file, func(c *certificate) { c.low, c.high = c.low+by, c.high+by })
}

func rewrite(file []byte, change func(c *certificate)) ([]byte, error) {
	c, err := readCertificate(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	change(c)
	var out bytes.Buffer
	err = c.write(&out)
	return out.Bytes(), err
}

// MakeCertificate returns a certificate that rests on no tables.
func MakeCertificate(g game.Game, p game.Position, low, high int, claims []Claim) ([]byte, error) {
	c := certificate{game: g, position: p, low: low, high: high, top: -1}
	for _, e := range claims {
		c.claims = append(c.claims, claim{position: e.Position, beans: e.Beans, rank: e.Rank, bound: e.Bound, move: e.Move})
	}
	var out bytes.Buffer
	err := c.write(&out)
	return out.Bytes(), err
}

// CertificateOf returns the certificate that has this stream, and StreamOf the stream of a
// certificate.
func CertificateOf(stream []byte) []byte {
	packer, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	file := append([]byte(certificateMagic), make([]byte, format.ChecksumSize)...)
	file = packer.EncodeAll(stream, file)
	SealCertificate(file)
	return file
}

// SealCertificate puts the right checksum into what may be a certificate.
func SealCertificate(file []byte) {
	if len(file) >= certificateHeaderSize {
		binary.BigEndian.PutUint64(file[8:], xxhash.Sum64(file[certificateHeaderSize:]))
	}
}

// SearchFile is the file that keeps what a search remembers, above no tables.
type SearchFile struct{ file searchFile }

// NewSearchFile returns the file of a position in a directory.
func NewSearchFile(dir string, g game.Game, p game.Position) SearchFile {
	return SearchFile{searchFile{dir: dir, game: g, position: p}}
}

// Path returns the name of the file.
func (f SearchFile) Path() string { return f.file.path() }

// Save writes the file.
func (f SearchFile) Save(visited uint64, records []search.Record) error {
	return f.file.save(visited, slices.Values(records), true)
}

// Load reads the file.
func (f SearchFile) Load() (visited uint64, records []search.Record, err error) {
	visited, _, err = f.file.load(func(r search.Record) { records = append(records, r) })
	return visited, records, err
}

// Of returns the file that has this stream.
func (f SearchFile) Of(stream []byte) []byte {
	packer, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	file := append(f.file.header(7), make([]byte, format.ChecksumSize)...)
	file = packer.EncodeAll(stream, file)
	return file
}
