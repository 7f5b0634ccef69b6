package tablebase

// FormatVersion is the version of databases, manifests and blocks that this program
// writes, and the only one it reads.
const FormatVersion = 1
