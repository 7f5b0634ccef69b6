// Package archive writes the layers of a game to one file, and reads such a file into a
// database. The bytes of the file are described in package format; probing one as it is needs
// neither of the two, see store.File.
package archive
