package servertest

import (
	"context"
	"time"

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
		wait, limited := a.wait()
		if a.failure == nil || wait <= 0 {
			continue
		}
		flag := a.failure.get(roleRetryable)
		if flag.value == false && a.failure.members["partial"] == nil {
			a.breaks(KindFalseWait, nil, "it has a wait but is not retryable (%s)", flag.path)
		}
		if safe := t.hints.ReadOnlyHint || flag.value == true; limited && safe && !tested {
			tested = true
			t.testWait(ctx, a)
		}
	}
}

// wait returns the wait that a failure requests, and whether the call was rate limited.
func (a *answer) wait() (wait time.Duration, limited bool) {
	if a.out.Err == nil {
		return 0, false
	}
	return a.out.Err.RetryAfter, a.out.Err.Code == toolerr.CodeRateLimited
}

// testWait repeats a call up to three times, each time after the wait that the last failure
// requests.
func (t *turn) testWait(ctx context.Context, a *answer) {
	refused := []*answer{a}
	for len(refused) <= 3 {
		wait, limited := refused[len(refused)-1].wait()
		if !limited || wait <= 0 || wait > maxWait || t.waited+wait > maxWaits {
			return
		}
		t.waited += wait
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		repeated := t.call(ctx, t.Name, a.again("repeated after the wait"))
		if repeated == nil {
			return
		}
		a.promised = true
		refused = append(refused, repeated)
	}
	if _, limited := refused[3].wait(); limited {
		a.breaks(KindFalseWait, refused[1:], "it was still rate limited three times after the requested wait")
	}
}
