package live

// leastSpared is how many descriptors streams leave if there are enough: for
// the store's files or connections, for those of numbers, and for some hundred
// requests.
const leastSpared = 128

// streamsOf returns how many streams a process with a number of descriptors may
// hold; each needs one. A quarter, but at least leastSpared, is for everything
// else, unless that leaves less than a quarter for streams.
func streamsOf(descriptors int) int {
	return max(descriptors-max(descriptors/4, leastSpared), descriptors/4, 1)
}
