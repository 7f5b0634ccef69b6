// Package tabletest makes tables for tests, and looks at what is stored of them. Only tests
// import it.
package tabletest
