// Package robustness contains the tests that destroy the server: they kill the program
// and its PostgreSQL, cut the power of its disk, fill the disk and make it fail, and take
// memory and descriptors away, all while clients write. They know the program by HTTP
// and by its commands alone.
//
// The short forms run with all tests; PARLEY_TORTURE=1 (make torture) runs the long
// ones. docs/track-record.md says what came out.
package robustness
