package main

// leastSpared is how many descriptors streams leave where there are enough: for
// the store with its files or connections, for those of the numbers, and for some
// hundred requests.
const leastSpared = 128

// streamsOf returns how many streams a process with so many descriptors may
// hold: each takes one. A quarter is for everything else, at least leastSpared;
// where that would leave streams less than a quarter, they have a quarter.
func streamsOf(descriptors int) int {
	return max(descriptors-max(descriptors/4, leastSpared), descriptors/4, 1)
}
