package proof

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
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
	BoundsPrefix     = 'k'
	boundsMagic      = "BnsP"
	boundsSize       = 32
	boundsKeySize    = 20
	boundsChecksumAt = 24
	noLayer          = 255
)

// Proven is what is known of a position above the tables.
type Proven struct {
	search.Bounds
	Visited uint64 // positions visited to prove it
}

// BoundsKey returns the key of a position.
func BoundsKey(g game.Game, p game.Position) []byte {
	key := format.LayerKey(BoundsPrefix, format.KeyOf(g, p.Beans()))
	key = binary.BigEndian.AppendUint64(key, uint64(p.Mover))
	return binary.BigEndian.AppendUint64(key, uint64(p.Opponent))
}

// signature names the tables of a game, of the parity of top, up to layer top. Top may be
// below 0 for none. All of them have to be there.
func signature(db *tablebase.DB, g game.Game, top int) (uint64, error) {
	var digest xxhash.Digest
	digest.Reset()
	for beans := top & 1; beans <= top; beans += 2 {
		m, err := db.Manifest(format.KeyOf(g, beans))
		if err != nil {
			return 0, err
		}
		_, _ = digest.WriteString(m.SHA256) // it never fails
	}
	return digest.Sum64(), nil
}

// BoundsOf returns the proven bounds of a position, and whether there are any that were
// proved with the tables as they are. The error wraps ErrCorrupt or ErrVersion.
func BoundsOf(db *tablebase.DB, g game.Game, p game.Position) (Proven, bool, error) {
	beans, err := tablebase.CountBeans(g.Width(), p)
	if err != nil {
		return Proven{}, false, err
	}
	var kept Proven
	var top int
	var signed uint64
	err = db.Values().View(BoundsKey(g, p), func(value []byte) (err error) {
		kept, top, signed, err = parseKept(format.KeyOf(g, beans), value)
		return err
	})
	if errors.Is(err, store.ErrNoValue) {
		return Proven{}, false, nil
	}
	if err != nil {
		return Proven{}, false, err
	}
	if now, err := signature(db, g, top); err != nil || now != signed {
		return Proven{}, false, nil //nolint:nilerr // tables that are not there are other tables
	}
	return kept, true, nil
}

// parseKept reads the bounds of a position of a layer, the largest layer of the tables
// that they were proved with, or −1, and the signature of those. It takes any bytes. The
// error wraps ErrCorrupt or ErrVersion.
func parseKept(k format.Key, value []byte) (kept Proven, top int, signature uint64, err error) {
	corrupt := func(reason string) error {
		return fmt.Errorf("%w: bounds of a position of %v: %s; check --repair deletes them", format.ErrCorrupt, k, reason)
	}
	err = format.Verify(value, boundsMagic, boundsSize, boundsChecksumAt)
	switch {
	case errors.Is(err, format.ErrVersion):
		return Proven{}, 0, 0, fmt.Errorf("bounds of a position of %v: %w", k, err)
	case err != nil:
		return Proven{}, 0, 0, corrupt(err.Error())
	case len(value) != boundsSize:
		return Proven{}, 0, 0, corrupt("they go on after their end")
	}
	kept.Low, kept.High = game.Score(value[5]), game.Score(value[6])
	if trivial := search.Trivial(k.Beans); kept.Low > kept.High || kept.Low < trivial.Low || kept.High > trivial.High {
		return Proven{}, 0, 0, corrupt("no score lies within them")
	}
	if top = int(value[7]); top == noLayer {
		top = -1
	}
	kept.Visited = binary.BigEndian.Uint64(value[16:])
	return kept, top, binary.BigEndian.Uint64(value[8:]), nil
}

// ParseBoundsKey returns the position that a key of bounds names, if it is one.
func ParseBoundsKey(key []byte) (game.Game, game.Position, bool) {
	if len(key) != boundsKeySize || key[0] != BoundsPrefix {
		return game.Game{}, game.Position{}, false
	}
	k := format.KeyOfLayer(key)
	p := game.Position{Mover: game.Row(binary.BigEndian.Uint64(key[4:])), Opponent: game.Row(binary.BigEndian.Uint64(key[12:]))}
	g, err := game.New(k.Rules, k.Width)
	if err != nil || !k.Valid() {
		return game.Game{}, game.Position{}, false
	}
	beans, err := tablebase.CountBeans(k.Width, p)
	return g, p, err == nil && beans == k.Beans
}

// keep stores the bounds of a position that were proved with the tables up to layer
// top. It needs a database that was opened by Create.
func keep(db *tablebase.DB, g game.Game, p game.Position, kept Proven, top int, signature uint64) error {
	value := append([]byte(boundsMagic), format.Version, byte(kept.Low), byte(kept.High), noLayer)
	if top >= 0 {
		value[7] = byte(top)
	}
	value = binary.BigEndian.AppendUint64(value, signature)
	value = binary.BigEndian.AppendUint64(value, kept.Visited)
	value = append(value, make([]byte, format.ChecksumSize)...)
	format.WriteChecksum(value, boundsChecksumAt)
	w, err := db.Writer()
	if err != nil {
		return err
	}
	defer w.Release()
	return w.Put(store.Entry{Key: BoundsKey(g, p), Value: value})
}
