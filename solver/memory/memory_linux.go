package memory

import "golang.org/x/sys/unix"

// OutsideHeap tells whether blocks lie outside the Go heap.
const OutsideHeap = true

// hugePage is the size of a huge page. Blocks are whole numbers of them.
const hugePage = 2 << 20

func allocate(size int) ([]byte, error) {
	size = (size + hugePage - 1) / hugePage * hugePage
	mapped, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	// Without huge pages it works as well, only slower.
	_ = unix.Madvise(mapped, unix.MADV_HUGEPAGE)
	return mapped, nil
}

func release(mapped []byte) {
	_ = unix.Munmap(mapped) // it can fail only for memory that is not mapped
}
