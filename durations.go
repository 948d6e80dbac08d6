package parley

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Durations is a histogram of durations. Each bucket reaches a tenth further
// than the one before. A histogram is small however many durations it counts,
// two of them can be added, and its quantiles are accurate to 4.8 % or, below a
// second, to one second. The zero value is empty.
type Durations struct {
	counts []int // by bucket: 0 is below a second, i is growth^(i-1) to growth^i seconds
}

const growth = 1.1

// maxBucket is beyond every possible duration: the longest time.Duration is in
// bucket 241.
const maxBucket = 1000

// Add counts a duration. A negative duration counts as zero.
func (d *Durations) Add(length time.Duration) {
	bucket := 0
	if length >= time.Second {
		bucket = 1 + int(math.Log(length.Seconds())/math.Log(growth))
	}
	d.add(bucket, 1)
}

func (d *Durations) add(bucket, count int) {
	if missing := bucket + 1 - len(d.counts); missing > 0 {
		d.counts = append(d.counts, make([]int, missing)...)
	}
	d.counts[bucket] += count
}

// AddAll adds the counts of another histogram.
func (d *Durations) AddAll(others Durations) {
	for bucket, count := range others.counts {
		if count != 0 {
			d.add(bucket, count)
		}
	}
}

// Count returns the number of counted durations.
func (d *Durations) Count() int {
	sum := 0
	for _, count := range d.counts {
		sum += count
	}
	return sum
}

// Quantile returns the length that the share q of the durations does not
// exceed; q must be above 0 and at most 1, and 0.5 is the median. The result
// represents the duration of the nearest rank, with an error of at most 4.8 %,
// and is 0 for less than a second. ok is false if there are no durations.
func (d *Durations) Quantile(q float64) (length time.Duration, ok bool) {
	count := d.Count()
	rank := max(1, int(math.Ceil(q*float64(count))))
	for bucket, n := range d.counts {
		if rank -= n; rank > 0 || n == 0 {
			continue
		}
		if bucket == 0 {
			return 0, true
		}
		// This value has the same relative distance to both ends of the bucket.
		low := math.Pow(growth, float64(bucket-1))
		seconds := low * 2 * growth / (1 + growth)
		return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond), true
	}
	return 0, false
}

// String encodes the counts as text, such as "0:2,37:1" for two in bucket 0 and
// one in bucket 37.
func (d *Durations) String() string {
	var b []byte
	for bucket, count := range d.counts {
		if count == 0 {
			continue
		}
		if len(b) > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(bucket), 10)
		b = strconv.AppendInt(append(b, ':'), int64(count), 10)
	}
	return string(b)
}

// AddText adds the counts of a text that String returned. Its error is
// Internal, because only a damaged store can hold anything else.
func (d *Durations) AddText(text string) error {
	for text != "" {
		var pair string
		pair, text, _ = strings.Cut(text, ",")
		left, right, _ := strings.Cut(pair, ":")
		bucket, err := strconv.Atoi(left)
		if err != nil || bucket < 0 || bucket > maxBucket {
			return Errorf(Internal, "counted durations: there is no bucket %q", left)
		}
		count, err := strconv.Atoi(right)
		if err != nil || count < 0 {
			return Errorf(Internal, "counted durations: %q is no count", right)
		}
		d.add(bucket, count)
	}
	return nil
}
