//go:build race

package main

// raceEnabled says that the race detector watches, which takes its time.
const raceEnabled = true
