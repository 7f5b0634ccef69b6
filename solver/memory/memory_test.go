package memory_test

import (
	"testing"
	"unsafe"

	"bohnenspiel/solver/memory"
)

func TestBytesAreZeroAndReused(t *testing.T) {
	var b memory.Block
	defer b.Free()
	for _, size := range []int{0, 1, 5 << 20, 3, 5 << 20, 9 << 20} {
		bytes, err := b.Bytes(size)
		if err != nil {
			t.Fatal(err)
		}
		if len(bytes) != size || cap(bytes) != size {
			t.Fatalf("got %d bytes with room for %d, want %d", len(bytes), cap(bytes), size)
		}
		if b.Size() < size {
			t.Errorf("the block holds %d bytes, want at least %d", b.Size(), size)
		}
		for i := range bytes {
			if bytes[i] != 0 {
				t.Fatalf("size %d: byte %d is not zero", size, i)
			}
			bytes[i] = 1
		}
	}
	before := b.Size()
	if _, err := b.Bytes(before); err != nil || b.Size() != before {
		t.Errorf("memory that is large enough is not used again: %d bytes, then %d, error %v", before, b.Size(), err)
	}
	b.Free()
	if b.Size() != 0 {
		t.Errorf("after Free the block holds %d bytes", b.Size())
	}
}

func TestRefusedMemoryIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for more memory than any machine has")
	}
	var b memory.Block
	if _, err := b.Bytes(1 << 62); err == nil {
		b.Free()
		t.Error("got 2^62 bytes, want an error")
	}
}

func TestFetchChangesNothing(t *testing.T) {
	var b memory.Block
	defer b.Free()
	bytes, err := b.Bytes(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for i := range bytes {
		bytes[i] = byte(i)
	}
	for i := range bytes {
		memory.Fetch(unsafe.Pointer(&bytes[i]))
	}
	memory.Fetch(nil) // as bad as an address can be
	for i := range bytes {
		if bytes[i] != byte(i) {
			t.Fatalf("byte %d is %d", i, bytes[i])
		}
	}
}
