// Package session is what commands share before they do their own work: the flags and their
// checks, usage errors, the database in which they look, files that they read and write, and
// small layers that are built on the spot.
package session
