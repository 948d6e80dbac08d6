package reseal

import "slices"

// Columns returns the names of the columns that Run knows, in order.
func Columns() (names []string) {
	for _, c := range columns() {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return names
}
