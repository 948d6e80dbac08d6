//go:build !race

package publicapi_test

// raceEnabled says that the race detector watches, which takes its time.
const raceEnabled = false
