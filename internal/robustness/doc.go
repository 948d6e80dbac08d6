// Package robustness contains the tests that destroy the server: they kill the program
// and its PostgreSQL, and cut the power of its disk, all while clients write. They know
// the program by HTTP and by its commands alone.
//
// The short forms run with all tests; PARLEY_TORTURE=1 (make torture) runs the long
// ones.
package robustness
