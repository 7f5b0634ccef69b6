package store

// batchBytes is the size of a batch: larger ones gain no speed and hold their values in
// memory.
const batchBytes = 16 << 20

// Batch writes many values, some megabytes at a time. It is not safe for concurrent use.
type Batch struct {
	To      Writer
	Entries []Entry
	Bytes   int
}

// Put writes a value, sooner or later: flush makes sure. Neither key nor value may be
// changed until then.
func (b *Batch) Put(key, value []byte) error {
	b.Entries = append(b.Entries, Entry{key, value})
	b.Bytes += len(key) + len(value)
	if b.Bytes < batchBytes {
		return nil
	}
	return b.Flush()
}

// Flush writes what has been put since the last flush.
func (b *Batch) Flush() error {
	if err := CheckSpace(b.To.Name(), uint64(b.Bytes)); err != nil {
		return err
	}
	err := b.To.Write(b.Entries)
	clear(b.Entries)
	b.Entries, b.Bytes = b.Entries[:0], 0
	return err
}
