package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// A block of a depth table has the header of any other. Its numbers are the DTCs plus
// 1, so that Endless is 0, and bytes 6 and 7 of the header hold the lowest of them. What
// remains are symbols, coded as codecConstant or codecPredicted say. Where they do not
// fit 8 bits, codecSplit has two streams: the low bytes of all, then the high bytes.
//
//	DTC 0, 1, 2, …, endless    numbers 1, 2, 3, …, 0

// codecSplit is the codec of blocks of depths more than 8 bits wide.
const codecSplit codecTag = 2

// mostPredicted is the largest symbol that can be predicted.
const mostPredicted = 254

// numberOf returns the number that stands for a DTC.
func numberOf(dtc game.DTC) uint16 { return uint16(dtc) + 1 }

// encodeDepths returns the value of a block with these DTCs, row by row. It depends on
// nothing else.
func (c *codec) encodeDepths(id blockID, dtcs []game.DTC) []byte {
	lowest, highest := numberOf(dtcs[0]), numberOf(dtcs[0])
	for _, dtc := range dtcs {
		lowest, highest = min(lowest, numberOf(dtc)), max(highest, numberOf(dtc))
	}
	header := blockHeader{id: id, base: game.Score(lowest >> 8), shift: uint8(lowest)}
	top := highest - lowest
	if top == 0 {
		header.codec = codecConstant
		return finishBlock(header, nil)
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	symbols := s.symbols[:len(dtcs)]
	for i, dtc := range dtcs {
		symbols[i] = byte(numberOf(dtc) - lowest)
	}
	if top <= mostPredicted {
		header.codec, header.top = codecPredicted, uint8(top)
		return finishBlock(header, s.appendPredicted(nil, symbols, header.top, id.columns, nil))
	}
	header.codec = codecSplit
	payload := s.appendStream(nil, symbols)
	for i, dtc := range dtcs {
		symbols[i] = byte((numberOf(dtc) - lowest) >> 8)
	}
	return finishBlock(header, s.appendStream(payload, symbols))
}

// decodeDepths verifies the value of a block and fills dtcs, of which there are
// id.positions, row by row. It takes any bytes: what is not the block's value gives a
// *CorruptError, or an error that wraps ErrVersion, and leaves dtcs as they are.
func (c *codec) decodeDepths(id blockID, value []byte, dtcs []game.DTC) error {
	header, payload, err := parseBlock(value, id)
	if err != nil {
		return err
	}
	lowest := uint16(uint8(header.base))<<8 | uint16(header.shift)
	bad := id.corrupt("its payload cannot be decoded")
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	symbols := s.symbols[:len(dtcs)]
	switch header.codec {
	case codecConstant:
		if len(payload) > 0 || header.top > 0 {
			return bad
		}
		for i := range dtcs {
			dtcs[i] = game.DTC(lowest - 1)
		}
	case codecPredicted:
		if header.top == 0 || header.top > mostPredicted || !s.readPredicted(payload, symbols, header.top, id.columns) {
			return bad
		}
		for i, symbol := range symbols {
			dtcs[i] = game.DTC(lowest + uint16(symbol) - 1)
		}
	case codecSplit:
		low, rest, ok := s.readStream(s.symbols[:0], payload, len(dtcs))
		if !ok {
			return bad
		}
		high, rest, ok := s.readStream(s.places[:0], rest, len(dtcs))
		if !ok || len(rest) > 0 {
			return bad
		}
		for i := range dtcs {
			dtcs[i] = game.DTC(lowest + (uint16(high[i])<<8 | uint16(low[i])) - 1)
		}
	default:
		return id.corrupt(fmt.Sprintf("its codec %d is unknown", header.codec))
	}
	return nil
}

// ReadDepths reads a block of a depth table and decodes it into dtcs, which have its
// length.
func (db *DB) ReadDepths(id blockID, dtcs []game.DTC) (stamp blockStamp, err error) {
	err = db.ViewBlock(id, func(value []byte) error {
		if err := db.codec.decodeDepths(id, value, dtcs); err != nil {
			return err
		}
		stamp = stampOf(value)
		return nil
	})
	return stamp, err
}

// decodeDepthBlock reads a block of a depth table for the cache: two bytes a position,
// big-endian.
func (db *DB) decodeDepthBlock(id blockID) ([]game.Score, error) {
	dtcs := make([]game.DTC, id.positions)
	if _, err := db.ReadDepths(id, dtcs); err != nil {
		return nil, err
	}
	bytes := make([]byte, 0, 2*len(dtcs))
	for _, dtc := range dtcs {
		bytes = binary.BigEndian.AppendUint16(bytes, uint16(dtc))
	}
	return asScores(bytes), nil
}

// depthTable is what is known of a stored depth table.
type depthTable struct {
	manifest DepthManifest
	err      error  // why it can't be used; nil if it can
	table    *table // in the cache for probing
}

// DepthManifest returns the manifest of the depth table of a layer. The error wraps
// ErrNoDepths when it has not been built, ErrCorrupt or ErrVersion when it can't be used.
func (db *DB) DepthManifest(k Key) (DepthManifest, error) {
	d, err := db.depthTable(k)
	if err != nil {
		return DepthManifest{}, err
	}
	return d.manifest, nil
}

// depthTable returns the depth table of a layer, which can be read.
func (db *DB) depthTable(k Key) (*depthTable, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return nil, ErrClosed
	}
	d := db.depthTables[k]
	if d == nil {
		return nil, fmt.Errorf("%v: %w", k, ErrNoDepths)
	}
	if layer := db.layers[k]; d.err == nil && layer != nil && layer.err == nil && layer.manifest.SHA256 != d.manifest.Scores {
		return nil, &CorruptError{Key: k, Kind: solver.Depths, Block: manifestBlock, Reason: "it belongs to other scores"}
	}
	return d, d.err
}

// StoredDepth returns the DTC of a position of the board from the depth table of its
// layer, if there is one. The error is that of a table that can't be read.
func (db *DB) StoredDepth(g game.Game, p game.Position) (dtc game.DTC, ok bool, err error) {
	if g.Over(p) {
		return 0, true, nil
	}
	d, err := db.depthTable(KeyOf(g, p.Beans()))
	if errors.Is(err, ErrNoDepths) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	number, at := d.table.tiling.locate(p)
	block, err := d.table.block(number)
	if err != nil {
		return 0, false, err
	}
	return game.DTC(binary.BigEndian.Uint16(asBytes(block)[2*at:])), true, nil
}

// readDepthManifests finds all depth tables.
func (db *DB) readDepthManifests() error {
	keys, err := db.values.keys([]byte{depthManifestPrefix}, 0)
	if err != nil {
		return err
	}
	for _, key := range keys {
		const size = 4
		k := Key{}
		if len(key) == size {
			k = keyOfLayer(key)
		}
		if !k.valid() {
			continue
		}
		var m DepthManifest
		err := db.values.view(key, func(value []byte) (err error) {
			m, err = decodeDepthManifest(k, value)
			return err
		})
		db.addDepthTable(k, m, db.placed(err))
	}
	return nil
}

// addDepthTable makes a depth table known, or why its manifest can't be read.
func (db *DB) addDepthTable(k Key, m DepthManifest, err error) {
	d := &depthTable{manifest: m, err: err}
	if err == nil {
		d.table = db.cache.newTable(k, solver.Depths, newTiling(db.Index(k.Width), k.Beans))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.depthTables[k] = d
}
