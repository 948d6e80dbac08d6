package wire

import "time"

// AppendBackups appends the state of the scheduled backups: the interval, 0 without a
// schedule, and when the last one began, zero if there was none.
func AppendBackups(b []byte, every time.Duration, last time.Time, late bool) []byte {
	o := open(b)
	o.secondsOrNull("everySeconds", every)
	o.timeOrNull("lastAt", last)
	o.boolean("late", late)
	return o.close()
}
