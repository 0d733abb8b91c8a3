package resulttest

import (
	"context"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// maxWait is the longest wait of a server's that is put to the test. Chosen: it is
	// waited for really.
	maxWait = 3 * time.Second
	// maxWaits is how much of that a check spends in all. Chosen: a tool's test takes
	// three waits.
	maxWaits = 12 * time.Second
)

// testWaits looks for waits that cannot be kept, and waits as the server says after a
// call that was refused as one of too many: it must not be refused three times so.
func (t *turn) testWaits(ctx context.Context) {
	tested := false
	for _, a := range t.answers {
		wait, throttled := throttle(a)
		if a.failure == nil || wait <= 0 {
			continue
		}
		if flag := a.failure.get(roleRetryable); flag.value == false && a.failure.members["partial"] == nil {
			a.breaks(KindFalseWait, nil, "it has a wait but is not retryable (%s)", flag.path)
		}
		if safe := t.isReadOnly() || a.failure.get(roleRetryable).value == true; throttled && safe && !tested {
			tested = true
			t.keepWait(ctx, a, wait)
		}
	}
}

// throttle returns the wait that a failure asks for, and whether the call was one of too
// many.
func throttle(a *answer) (wait time.Duration, throttled bool) {
	if out := result.Parse(a.result, a.err); out.Err != nil {
		return out.Err.RetryAfter, out.Err.Code == toolerr.CodeRateLimited
	}
	return 0, false
}

// keepWait repeats a call after the wait that each refusal asks for, and gives up after
// three.
func (t *turn) keepWait(ctx context.Context, a *answer, wait time.Duration) {
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
		if wait, throttled = throttle(repeated); !throttled {
			return
		}
		refused = append(refused, repeated)
	}
	a.breaks(KindFalseWait, refused, "it was still rate limited three times after the requested wait")
}
