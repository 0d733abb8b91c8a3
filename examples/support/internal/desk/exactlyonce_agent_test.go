package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

const (
	// patience is how often an agent calls for one refund, each time with all the
	// attempts of its client.
	patience = 6
	// moment is how long it waits before it calls again.
	moment = 200 * time.Millisecond
)

// A clerk is an agent that asks for refunds, and does what the decisions say.
type clerk struct {
	client *retry.Client
	keyed  bool
	book   lookUp
	tally  *tally
}

// A belief is what an agent knows of a refund in the end.
type belief struct {
	want refund
	word conclusion
	got  refund // where it is done
}

type conclusion string

const (
	done       conclusion = "done"
	refused    conclusion = "refused"    // for certain
	unfinished conclusion = "unfinished" // no patience left, or no certainty to be had
)

// A tally counts what the agents go through.
type tally struct {
	mu                                 sync.Mutex
	calls, attempts, keyless           int
	verified, found, propagated, broke int
	wrong                              []string // what was told and was not so at that time
}

func (t *tally) count(f func(*tally)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t)
}

// ask asks for a refund until it knows how that ended.
func (c *clerk) ask(ctx context.Context, want refund) belief {
	var (
		key   string
		doubt bool // whether an earlier call may still take effect
	)
	for range patience {
		out, d, trip := c.call(ctx, want, key)
		if d.Action == retry.ActionAccept {
			got, err := result.Decode[refund](out)
			c.expect(err == nil, "%s: %v", want.OrderID, err)
			return belief{want, done, got}
		}
		if c.keyed {
			before := key
			key = cmp.Or(out.Err.IdempotencyKey, before)
			c.expect(before == "" || key == before, "%s: another key than %s: %s", want.OrderID, before, out.Text())
		}
		switch d.Action { //nolint:exhaustive // the others are for good
		case retry.ActionVerify:
			found, certain, err := c.verify(ctx, want, key, out, trip)
			switch {
			case len(found) > 0:
				c.tally.count(func(t *tally) { t.found++ })
				return belief{want, done, found[0]}
			case err != nil, !certain && key == "":
				return belief{want: want, word: unfinished}
			}
			doubt = !certain
		case retry.ActionPropagate:
			if !doubt { // then it is certain that nothing was done
				found, err := c.book.completed(ctx, want.OrderID)
				c.expect(err == nil && len(found) == 0, "%v %v, but: %s", found, err, out.Text())
			}
			time.Sleep(moment) // a server that was killed needs real time to come back
		default:
			if doubt {
				return belief{want: want, word: unfinished}
			}
			return belief{want: want, word: refused}
		}
	}
	return belief{want: want, word: unfinished}
}

// call calls the tool, with a key if there is one. The agent makes none: that is up to the client,
// and a client without keys is to get along without them. The key that the server makes for a call
// without one is left alone for the same reason, and because it is lost with the server.
func (c *clerk) call(ctx context.Context, want refund, key string) (result.Outcome, retry.Decision, *trip) {
	args := map[string]any{"order_id": want.OrderID, "amount": want.Amount}
	if key != "" {
		args["idempotency_key"] = key
	}
	trip := new(trip)
	out, d := c.client.CallTool(context.WithValue(ctx, tripKey{}, trip), &mcp.CallToolParams{Name: "process_refund", Arguments: args})
	c.tally.count(func(t *tally) {
		t.calls++
		t.attempts += d.Attempt
		switch d.Action { //nolint:exhaustive // these alone are counted
		case retry.ActionVerify:
			t.verified++
			if c.keyed && out.Err.IdempotencyKey == "" {
				t.keyless++
			}
		case retry.ActionPropagate:
			t.propagated++
		}
		if d.Reason == retry.ReasonBudgetExhausted {
			t.broke++
		}
	})
	return out, d, trip
}

// verify looks up whether a refund is booked. With a key that is enough: a call
// with the same key does no harm, whatever else is under way.
//
// Without one it takes certainty that what is not booked now will not be. A request may be on its
// way to the gateway, or the gateway at work on one whose caller has given up. So first, nobody
// must be left who could send one: the server has answered, which it does when its tool has
// returned, or the processes that had the call are dead. All that they have sent has then reached
// the gateway's machine. The gateway takes connections in the order in which they were made, so
// that second, it is asked over a new one, and answers when it is done with all that came before.
func (c *clerk) verify(ctx context.Context, want refund, key string, out result.Outcome, trip *trip) (found []refund, certain bool, err error) {
	if key != "" {
		found, err = c.book.withKey(ctx, key)
		return found, false, err
	}
	certain = out.Result != nil || trip.over() // before the look-up, which would be too early otherwise
	found, err = c.book.completed(ctx, want.OrderID)
	return found, certain, err
}

// expect notes it where an agent was told what is not so.
func (c *clerk) expect(ok bool, format string, args ...any) {
	if !ok {
		c.tally.count(func(t *tally) { t.wrong = append(t.wrong, fmt.Sprintf(format, args...)) })
	}
}

// A lookUp asks the gateway for its book.
type lookUp struct {
	url    string
	client *http.Client
}

func newLookUp(gateway string) lookUp {
	return lookUp{gateway + "/refunds", &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

// withKey returns the refund with a key, if there is one by now.
func (l lookUp) withKey(ctx context.Context, key string) ([]refund, error) {
	return l.get(ctx, url.Values{"idempotency_key": {key}})
}

// completed returns the refunds of an order once all is done that has reached the gateway before.
func (l lookUp) completed(ctx context.Context, orderID string) ([]refund, error) {
	return l.get(ctx, url.Values{"order_id": {orderID}, "completed": {"true"}})
}

func (l lookUp) get(ctx context.Context, query url.Values) ([]refund, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var found struct {
		Refunds []refund `json:"refunds"`
	}
	err = json.NewDecoder(resp.Body).Decode(&found)
	return found.Refunds, err
}
