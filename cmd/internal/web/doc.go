// Package web serves what the tables know over HTTP: an API for programs and a page
// for people.
//
// The API answers with the types of package tablebase as JSON, the same bytes that the
// commands print with --json, and with one shape of errors. The page is plain HTML that
// the server renders, so it works without scripts; a script adds what a board needs:
// setting up by click and key, the sowing of a move, playing on. Rules, wording and
// drawing exist once, on the server; the script fetches what it shows.
//
// A [Server] reads from several databases. A question goes to the first that has the
// layer. Nothing that a client sends reaches the file system, and work, bodies, time and
// connections are limited, see [Limits].
package web
