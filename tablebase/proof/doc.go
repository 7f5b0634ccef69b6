// Package proof answers questions about positions above the tables, and proves the answers.
//
// A [Searcher] brings tables into memory as [Resident], lets package search work above them,
// and keeps the state of its work beside the database, so that it can be stopped at any time.
// What it has proved is kept in the database ([BoundsOf]) and can be written as a certificate,
// which [CheckCertificate] verifies with the rules and the tables alone.
package proof
