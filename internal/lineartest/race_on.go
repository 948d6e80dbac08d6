//go:build race

package lineartest

// raceEnabled says that the race detector is on. It makes measurements
// meaningless and ten times as slow.
const raceEnabled = true
