//go:build !race

package lineartest

// raceEnabled says that the race detector watches, under which a cost says
// nothing and takes ten times as long.
const raceEnabled = false
