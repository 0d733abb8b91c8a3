package resulttest

import (
	"context"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// maxWait is the longest wait that is tested. Chosen: the check really waits.
	maxWait = 3 * time.Second
	// maxWaits is the total waiting time of a check. Chosen: the test of a tool takes three
	// waits.
	maxWaits = 12 * time.Second
)

// testWaits looks for waits in failures that are not retryable. It also repeats a rate-limited
// call after the requested wait; the call must not be rate limited three times in a row.
func (t *turn) testWaits(ctx context.Context) {
	tested := false
	for _, a := range t.answers {
		wait, throttled := requestedWait(a)
		if a.failure == nil || wait <= 0 {
			continue
		}
		if flag := a.failure.get(roleRetryable); flag.value == false && a.failure.members["partial"] == nil {
			a.breaks(KindFalseWait, nil, "it has a wait but is not retryable (%s)", flag.path)
		}
		if safe := t.isReadOnly() || a.failure.get(roleRetryable).value == true; throttled && safe && !tested {
			tested = true
			t.testWait(ctx, a, wait)
		}
	}
}

// requestedWait returns the wait that a failure requests, and whether the call was rate
// limited.
func requestedWait(a *answer) (wait time.Duration, throttled bool) {
	if out := result.Parse(a.result, a.err); out.Err != nil {
		return out.Err.RetryAfter, out.Err.Code == toolerr.CodeRateLimited
	}
	return 0, false
}

// testWait repeats a call up to three times, each time after the wait that the last failure
// requests.
func (t *turn) testWait(ctx context.Context, a *answer, wait time.Duration) {
	var refused []*answer
	for len(refused) < 3 {
		if wait <= 0 || wait > maxWait || t.waited+wait > maxWaits {
			return
		}
		t.waited += wait
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		repeated := t.call(ctx, t.tool.Name, a.again("repeated after the wait"))
		if repeated == nil {
			return
		}
		a.promised = true
		var throttled bool
		if wait, throttled = requestedWait(repeated); !throttled {
			return
		}
		refused = append(refused, repeated)
	}
	a.breaks(KindFalseWait, refused, "it was still rate limited three times after the requested wait")
}
