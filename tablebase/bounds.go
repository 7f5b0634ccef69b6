package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// Proven bounds of positions above the tables are a table of their own, one key a
// position. Numbers are big-endian.
//
//	key     size                    value   size
//	0       1    'k'                0       4    "BnsP"
//	1       1    rules              4       1    format version
//	2       1    width              5       1    low, signed
//	3       1    beans              6       1    high, signed
//	4       8    mover's row        7       1    largest layer of the tables, 255 for none
//	12      8    opponent's row     8       8    signature of the tables
//	                                16      8    positions visited to prove them
//	                                24      8    checksum of bytes 0 to 23
//
// The signature is the xxHash64 of the SHA-256s, 64 hexadecimal digits each, of the
// layers that the search had in memory, in ascending order. Bounds that were proved
// with other tables than those that the database has now count as none.
const (
	boundsPrefix     = 'k'
	boundsMagic      = "BnsP"
	boundsSize       = 32
	boundsKeySize    = 20
	boundsChecksumAt = 24
	noLayer          = 255
)

// Kept is what is known of a position above the tables.
type Kept struct {
	search.Bounds
	Visited uint64 // positions visited to prove it
}

// boundsKey returns the key of a position.
func boundsKey(g game.Game, p game.Position) []byte {
	key := layerKey(boundsPrefix, KeyOf(g, p.Beans()))
	key = binary.BigEndian.AppendUint64(key, uint64(p.Mover))
	return binary.BigEndian.AppendUint64(key, uint64(p.Opponent))
}

// signature names the tables of a game, of the parity of top, up to layer top. Top may be
// below 0 for none. All of them have to be there.
func (db *DB) signature(g game.Game, top int) (uint64, error) {
	var digest xxhash.Digest
	digest.Reset()
	for beans := top & 1; beans <= top; beans += 2 {
		m, err := db.Manifest(KeyOf(g, beans))
		if err != nil {
			return 0, err
		}
		_, _ = digest.WriteString(m.SHA256) // it never fails
	}
	return digest.Sum64(), nil
}

// Kept returns the proven bounds of a position, and whether there are any that were
// proved with the tables as they are. The error wraps ErrCorrupt or ErrVersion.
func (db *DB) Kept(g game.Game, p game.Position) (Kept, bool, error) {
	beans, err := CountBeans(g.Width(), p)
	if err != nil {
		return Kept{}, false, err
	}
	var kept Kept
	var top int
	var signed uint64
	err = db.Values().view(boundsKey(g, p), func(value []byte) (err error) {
		kept, top, signed, err = parseKept(KeyOf(g, beans), value)
		return err
	})
	if errors.Is(err, errNoValue) {
		return Kept{}, false, nil
	}
	if err != nil {
		return Kept{}, false, err
	}
	if now, err := db.signature(g, top); err != nil || now != signed {
		return Kept{}, false, nil //nolint:nilerr // tables that are not there are other tables
	}
	return kept, true, nil
}

// parseKept reads the bounds of a position of a layer, the largest layer of the tables
// that they were proved with, or −1, and the signature of those. It takes any bytes. The
// error wraps ErrCorrupt or ErrVersion.
func parseKept(k Key, value []byte) (kept Kept, top int, signature uint64, err error) {
	corrupt := func(reason string) error {
		return fmt.Errorf("%w: bounds of a position of %v: %s; check --repair deletes them", ErrCorrupt, k, reason)
	}
	err = unseal(value, boundsMagic, boundsSize, boundsChecksumAt)
	switch {
	case errors.Is(err, ErrVersion):
		return Kept{}, 0, 0, fmt.Errorf("bounds of a position of %v: %w", k, err)
	case err != nil:
		return Kept{}, 0, 0, corrupt(err.Error())
	case len(value) != boundsSize:
		return Kept{}, 0, 0, corrupt("they go on after their end")
	}
	kept.Low, kept.High = game.Score(value[5]), game.Score(value[6])
	if trivial := search.Trivial(k.Beans); kept.Low > kept.High || kept.Low < trivial.Low || kept.High > trivial.High {
		return Kept{}, 0, 0, corrupt("no score lies within them")
	}
	if top = int(value[7]); top == noLayer {
		top = -1
	}
	kept.Visited = binary.BigEndian.Uint64(value[16:])
	return kept, top, binary.BigEndian.Uint64(value[8:]), nil
}

// parseBoundsKey returns the position that a key of bounds names, if it is one.
func parseBoundsKey(key []byte) (game.Game, game.Position, bool) {
	if len(key) != boundsKeySize || key[0] != boundsPrefix {
		return game.Game{}, game.Position{}, false
	}
	k := keyOfLayer(key)
	p := game.Position{Mover: game.Row(binary.BigEndian.Uint64(key[4:])), Opponent: game.Row(binary.BigEndian.Uint64(key[12:]))}
	g, err := game.New(k.Rules, k.Width)
	if err != nil || !k.valid() {
		return game.Game{}, game.Position{}, false
	}
	beans, err := CountBeans(k.Width, p)
	return g, p, err == nil && beans == k.Beans
}

// keep stores the bounds of a position that were proved with the tables up to layer
// top. It needs a database that was opened by Create.
func (db *DB) keep(g game.Game, p game.Position, kept Kept, top int, signature uint64) error {
	value := append([]byte(boundsMagic), FormatVersion, byte(kept.Low), byte(kept.High), noLayer)
	if top >= 0 {
		value[7] = byte(top)
	}
	value = binary.BigEndian.AppendUint64(value, signature)
	value = binary.BigEndian.AppendUint64(value, kept.Visited)
	value = append(value, make([]byte, checksumSize)...)
	seal(value, boundsChecksumAt)
	w, err := db.Writer()
	if err != nil {
		return err
	}
	defer w.Release()
	return w.Put(entry{boundsKey(g, p), value})
}
