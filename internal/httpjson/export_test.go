package httpjson

// MaxWindows is maxWindows, for tests.
const MaxWindows = maxWindows

// Windows returns how many windows are kept.
func (l *LimiterOf[K]) Windows() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.windows)
}
