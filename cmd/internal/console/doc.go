// Package console is what a command talks through: its streams, what it prints there, and
// how far long work is, by bars on a terminal and by lines elsewhere.
package console
