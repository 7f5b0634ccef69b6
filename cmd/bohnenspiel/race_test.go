//go:build race

package main

// raceDetector tells whether the tests run with the race detector, which takes much
// memory of its own.
const raceDetector = true
