// Package memory allocates arrays of gigabytes.
//
// Such arrays are bad company for the garbage collector, which would let the heap
// grow in proportion to them, and the first touch of each small page costs more
// time than the work on it. So a [Block] lies outside the heap, in huge pages
// where the system gives them, and is kept and used again.
//
// Who knows where in such an array it will look soon says so with [Fetch], since most
// looks miss the caches of the processor.
package memory
