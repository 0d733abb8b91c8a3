package class

import "time"

// MaxDelay bounds delays, so that arithmetic on them never overflows. No caller waits for a year,
// and a [time.Duration] can hold 292 years.
const MaxDelay = 365 * 24 * time.Hour

// ClampDelay returns d within [0, MaxDelay].
func ClampDelay(d time.Duration) time.Duration { return min(max(d, 0), MaxDelay) }

// Seconds returns n seconds as a delay within [0, MaxDelay]. It is 0 if n is negative or NaN.
func Seconds(n float64) time.Duration {
	if !(n > 0) {
		return 0
	}
	return time.Duration(min(n, MaxDelay.Seconds()) * float64(time.Second))
}
