// Package format knows every byte of a layer: how scores and depths become blocks and are
// read back, what a manifest says of them, and under which keys they are stored.
//
// A layer is all positions of a game with the same number of beans, named by a [Key]. It has
// a table of scores, at most two tables of bounds where positions lean on rule 8, and perhaps
// a table of depths to conversion. A [Blocking] cuts each table into blocks; a [Codec] turns
// the values of a block into bytes and back; a [Manifest], or a [DepthManifest], says what
// the blocks of a table hold and what they hash to. An exported file holds the same values
// one after another, see ArchiveHeader.
//
// The package knows no file and no database. docs/format.md describes the same for people who
// want to read tables with another program. Whatever changes a byte here raises [Version] or
// [ArchiveVersion].
package format
