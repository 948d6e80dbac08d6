package reranking

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"
)

const (
	// maxBeginning is how much of a passage or question is embedded: about 300
	// tokens, because small models read no more than 512. ASCII characters count 1,
	// others, of which a token has fewer, 4.
	maxBeginning = 1200
	// unit is a similarity of 1. Similarities are integers, so that what differs
	// only in rounding is equal.
	unit = 1_000_000
	// fusion is the k of reciprocal rank fusion, and whole the 1 of its 1/(k + place).
	fusion, whole = 60, 1_000_000_000
)

// A vector has the length 1.
type vector []float32

// direction returns a vector of the length 1, nil if it has no direction or has
// what is no number.
func direction(numbers []float32) vector {
	length := 0.0
	for _, x := range numbers {
		length += float64(x) * float64(x)
	}
	length = math.Sqrt(length)
	if !(length > 0) || math.IsInf(length, 1) {
		return nil
	}
	v := make(vector, len(numbers))
	for i, x := range numbers {
		v[i] = float32(float64(x) / length)
	}
	return v
}

// similarity returns the cosine of the angle between two vectors of one
// dimension, in units.
func similarity(a, b vector) int {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return int(math.Round(unit * sum))
}

// fuse returns the positions of articles, which are in the order of their words,
// given how near they are by meaning.
func fuse(near []int) []int {
	byMeaning := make([]int, len(near))
	for i := range byMeaning {
		byMeaning[i] = i
	}
	slices.SortStableFunc(byMeaning, func(i, j int) int { return cmp.Compare(near[j], near[i]) })
	sums := make([]int, len(near))
	for place, i := range byMeaning {
		sums[i] = whole/(fusion+1+i) + whole/(fusion+1+place)
	}
	slices.SortStableFunc(byMeaning, func(i, j int) int { return cmp.Compare(sums[j], sums[i]) })
	return byMeaning
}

// beginning returns as much of a text as is embedded.
func beginning(text string) string {
	left := maxBeginning
	for at, r := range text {
		if r < utf8.RuneSelf {
			left--
		} else {
			left -= 4
		}
		if left < 0 {
			return text[:at]
		}
	}
	return text
}
