package memory

import "fmt"

// Block is memory outside the Go heap. The zero Block is empty. A Block is not safe
// for concurrent use; the bytes it gives are, like any slice.
type Block struct {
	mapped []byte
}

// Bytes returns size bytes, all zero, at an address that is a multiple of 4,096.
// They stay valid until the next call of Bytes or Free. Memory that an earlier call
// got is used again if it is large enough, otherwise given back first. The error
// says how much the system refused.
func (b *Block) Bytes(size int) ([]byte, error) {
	if size <= len(b.mapped) {
		bytes := b.mapped[:size:size]
		clear(bytes)
		return bytes, nil
	}
	b.Free()
	mapped, err := allocate(size)
	if err != nil {
		return nil, fmt.Errorf("get %d bytes of memory: %w", size, err)
	}
	b.mapped = mapped
	return mapped[:size:size], nil
}

// Size returns the number of bytes that the block holds.
func (b *Block) Size() int { return len(b.mapped) }

// Free gives the memory back to the system. What Bytes has returned must not be
// used any more.
func (b *Block) Free() {
	if b.mapped != nil {
		release(b.mapped)
		b.mapped = nil
	}
}
