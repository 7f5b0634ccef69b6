// Package words says in words what the commands print: numbers with their units, lists of
// layers, and what the tables and searches know of a position.
package words
