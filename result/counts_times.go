package result

import (
	"slices"
	"time"
)

// durationBounds are the upper bounds of the buckets of durations, in seconds. They are
// what OpenTelemetry's specification of mcp.server.operation.duration advises.
var durationBounds = [...]float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// A ToolCount is how often a tool was called, and how long it took.
type ToolCount struct {
	// Tool is named as in [FailureCount].
	Tool string `json:"tool"`
	// Calls is how many calls have finished, at least 1.
	Calls int64 `json:"calls"`
	// Failed is how many of them have failed.
	Failed int64 `json:"failed"`
	// Seconds is how long they took together.
	Seconds float64 `json:"seconds"`
	// Durations is their histogram, from short to long, without empty buckets.
	Durations []DurationCount `json:"durations"`
}

// A DurationCount is how many calls took at most so long, and longer than those of the
// bucket before.
type DurationCount struct {
	// UpToSeconds is 0.01, 0.02, 0.05, ... 120 or 300; 0 for what took longer than that.
	UpToSeconds float64 `json:"upToSeconds,omitempty"`
	// Count is at least 1.
	Count int64 `json:"count"`
}

// toolTimes are what is counted of the calls of a tool.
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
