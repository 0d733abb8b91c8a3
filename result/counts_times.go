package result

import (
	"slices"
	"time"
)

// durationBounds are the upper bounds of the duration buckets in seconds, as recommended by
// OpenTelemetry's specification of mcp.server.operation.duration.
var durationBounds = [...]float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// A ToolCount has the number and the durations of a tool's calls.
type ToolCount struct {
	// Tool is as in [FailureCount].
	Tool string `json:"tool"`
	// Calls is the number of finished calls, at least 1.
	Calls int64 `json:"calls"`
	// Failed is the number of failed calls.
	Failed int64 `json:"failed"`
	// Seconds is the total duration.
	Seconds float64 `json:"seconds"`
	// Durations is the histogram, from short to long, without empty buckets.
	Durations []DurationCount `json:"durations"`
}

// A DurationCount is the number of calls in one bucket of a histogram.
type DurationCount struct {
	// UpToSeconds is the bucket's upper bound: 0.01, 0.02, 0.05, ... 120 or 300, and 0 for
	// longer calls.
	UpToSeconds float64 `json:"upToSeconds,omitempty"`
	// Count is the number of calls, at least 1.
	Count int64 `json:"count"`
}

// toolTimes has the counts of a tool's calls.
type toolTimes struct {
	failed  int64
	total   time.Duration
	buckets [len(durationBounds) + 1]int64
}

func (t *toolTimes) add(call FinishedCall) {
	if call.Err != nil {
		t.failed++
	}
	t.total += call.Duration
	bucket, _ := slices.BinarySearch(durationBounds[:], call.Duration.Seconds())
	t.buckets[bucket]++
}

func (t *toolTimes) count(tool string) ToolCount {
	c := ToolCount{Tool: tool, Failed: t.failed, Seconds: t.total.Seconds()}
	for i, n := range t.buckets {
		if n == 0 {
			continue
		}
		bucket := DurationCount{Count: n}
		if i < len(durationBounds) {
			bucket.UpToSeconds = durationBounds[i]
		}
		c.Calls += n
		c.Durations = append(c.Durations, bucket)
	}
	return c
}
