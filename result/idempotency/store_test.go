package idempotency_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A store that cannot be asked proves nothing about the first call, unless this is the first
// attempt of a new key.
func TestHandler_StoreAway(t *testing.T) {
	t.Parallel()
	away := map[string]error{
		"internal: broken":     errSecret,
		"unavailable: refused": &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)},
		"timeout: late":        context.DeadlineExceeded,
		": states an effect":   toolerr.Transient("m").WithEffect(toolerr.EffectNone),
		"internal: silent":     nil, "internal: canceled": context.Canceled, "internal: a missing row": sql.ErrNoRows,
	}
	earlier := attemptOf(attempt.CallOf("k"), 1)
	earlier["io.github.mcp-toolerr/unknownForMs"] = 5
	for name, c := range map[string]struct {
		meta  mcp.Meta
		key   string
		retry bool // by package retry
		want  toolerr.Effect
	}{
		"a host":                    {key: "k", want: toolerr.EffectUnknown},
		"a next attempt":            {key: "k", meta: attemptOf("c", 2), want: toolerr.EffectUnknown},
		"a first attempt, its key":  {key: "k", meta: attemptOf("c", 1), want: toolerr.EffectUnknown},
		"the same call":             {key: "k", meta: attemptOf(attempt.CallOf("k"), 2), want: toolerr.EffectUnknown},
		"an earlier call":           {key: "k", meta: earlier, want: toolerr.EffectUnknown},
		"our client, with a key":    {key: "k", retry: true, want: toolerr.EffectUnknown},
		"our client, without a key": {retry: true, want: toolerr.EffectNone},
		"no key":                    {want: toolerr.EffectNone},
	} {
		for how, err := range away {
			store, till := newHooked(), new(till)
			session := till.connect(t, &idempotency.Options{Store: store})
			require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
			store.claim = func(idempotency.Claim) (idempotency.Claim, error) { return idempotency.Claim{}, err }
			var out result.Outcome
			if c.retry {
				arguments := map[string]any{"cents": 40}
				if c.key != "" {
					arguments["idempotency_key"] = c.key
				}
				out, _ = retry.CallTool(t.Context(), retry.Policy{MaxAttempts: 1, Safety: retry.SafetyKeyed}, session,
					&mcp.CallToolParams{Name: "charge", Arguments: arguments})
			} else {
				out = chargeWith(t.Context(), session, "charge", 40, c.key, c.meta)
				code, _, _ := strings.Cut(how, ":")
				assert.Equal(t, fmt.Sprint("transient ", code, " ", code != "internal"),
					fmt.Sprint(out.Err.Category, " ", out.Err.Code, " ", out.Err.Retryable), "%s, %s: a repeat with the key is safe",
					name, how)
			}
			says := map[toolerr.Effect]string{
				toolerr.EffectUnknown: "It cannot be told", toolerr.EffectNone: "The call was not made, because",
			}
			assert.Equal(t, c.want, out.Err.Effect, "%s, %s: %s", name, how, out.Text())
			assert.Contains(t, out.Err.Message, says[c.want], "%s, %s", name, how)
			assert.NotContains(t, out.Text(), "hunter2")
			store.claim = nil
			require.NoError(t, charge(t, session, "charge", 40, "k").AsError(), name)
			assert.EqualValues(t, 1, till.ran.Load(), name)
		}
	}
}

// A failing store fails the call, but never causes a second charge.
func TestHandler_FailingStore(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	store, c := newHooked(), new(till)
	store.finish = func(idempotency.Ending) error { return errSecret }
	session := testutil.Connect(t, c.server(logged(&log), &idempotency.Options{Store: store, Wait: -1}), nil)
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError(), "it was carried out")
	c.ends = func(context.Context, int64) error { return toolerr.Transient("m").WithEffect(toolerr.EffectNone) }
	require.Error(t, charge(t, session, "charge", 40, "k2").AsError())
	for _, key := range []string{"k", "k2"} {
		assert.Equal(t, toolerr.CodeUnavailable, charge(t, session, "charge", 40, key).Err.Code)
	}
	assert.Equal(t, int64(2), c.ran.Load())
	assert.Contains(t, log.String(), `"an answer could not be kept" toolerr.`)
	assert.Contains(t, log.String(), "an idempotency key stays claimed")
	assert.NotContains(t, log.String(), "hunter2")
}

var claims = regexp.MustCompile(`toolerr\.(cause|claim)=.*`) // the end of a log record

// TestHandler_Leftovers records the answer of a repeat, without and with Rerun, for each state, effect
// and answer of a store: never a success that is not certain, and never permission to run.
func TestHandler_Leftovers(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/leftovers.txt", func(sample string) (answers string) {
		of, till, store := strings.SplitN(sample, "|", 3), new(till), newHooked()
		store.claim = func(idempotency.Claim) (idempotency.Claim, error) {
			return idempotency.Claim{State: idempotency.State(of[0]), Effect: toolerr.Effect(of[1]), Answer: []byte(of[2])}, nil
		}
		for _, rerun := range []bool{false, true} {
			var log bytes.Buffer
			session := testutil.Connect(t,
				till.server(logged(&log), &idempotency.Options{Store: store, UpstreamDedupes: rerun, Wait: -1}), nil)
			out := charge(t, session, "charge", 40, "k")
			require.Error(t, out.AsError(), sample)
			answers += correlation.ReplaceAllString(out.Text(), "") + "\n" + claims.FindString(log.String()) + "\n"
		}
		assert.Zero(t, till.ran.Load(), sample)
		return answers
	})
}

// An answer with a missing or changed part, or of another version of the server, is never a success.
func TestHandler_SpoiledAnswers(t *testing.T) {
	t.Parallel()
	store, c := newHooked(), new(till)
	session := c.connect(t, &idempotency.Options{Store: store})
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
	var whole []byte
	store.claim = func(got idempotency.Claim) (idempotency.Claim, error) { whole = got.Answer; return got, nil }
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
	spoiled := map[string][]byte{
		"a failure too":  bytes.Replace(whole, []byte(`"out"`), []byte(`"failure":{},"out"`), 1),
		"no output":      bytes.Replace(whole, []byte(`"out"`), []byte(`"in"`), 1),
		"another type":   bytes.Replace(whole, []byte(`"lines":[]`), []byte(`"lines":7`), 1),
		"another member": bytes.Replace(whole, []byte(`"number":`), []byte(`"refund_id":`), 1),
		"two":            append(bytes.Clone(whole), whole...),
	}
	for n := range whole {
		spoiled[fmt.Sprint(n, " bytes")] = whole[:n]
	}
	for name, answer := range spoiled {
		store.claim = func(got idempotency.Claim) (idempotency.Claim, error) { got.Answer = answer; return got, nil }
		e := charge(t, session, "charge", 40, "k").Err
		require.NotNil(t, e, name)
		assert.Equal(t, toolerr.EffectUnknown, e.Effect, name)
	}
	assert.Equal(t, int64(1), c.ran.Load())
	store.claim, c.ends = nil, func(context.Context, int64) error { return context.DeadlineExceeded }
	want := charge(t, session, "charge", 40, "k2").Err
	store.claim = func(got idempotency.Claim) (idempotency.Claim, error) {
		got.Answer = bytes.Replace(got.Answer, []byte(`"effect":"unknown"`), []byte(`"odd":1`), 1)
		return got, nil
	}
	got := charge(t, session, "charge", 40, "k2").Err
	assert.Equal(t, fmt.Sprint(want.Effect, want.Hint), fmt.Sprint(got.Effect, got.Hint), "a failure without its effect")
}

type (
	oneWay    struct{ Amount int64 }
	unordered struct{ Zulu, Alpha int }
)

// MarshalJSON implements [json.Marshaler]; nothing decodes it.
func (m oneWay) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int64{"cents": m.Amount})
}

// An answer that cannot be restored is never returned incorrectly.
func TestHandler_LossyOutput(t *testing.T) {
	t.Parallel()
	runs, schema := 0, json.RawMessage(`{"type":"object"}`)
	server := new(till).server(nil, nil)
	idempotency.AddTool(server, &mcp.Tool{Name: "one way", OutputSchema: schema}, fresh(nil),
		func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, oneWay, error) {
			runs++
			return nil, oneWay{7}, nil
		})
	idempotency.AddTool(server, &mcp.Tool{Name: "unordered", OutputSchema: schema}, fresh(nil),
		func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, map[string]any, error) {
			return nil, map[string]any{"list": []any{unordered{1, 2}}}, nil
		})
	session := testutil.Connect(t, server, nil)
	assert.Equal(t, `{"cents":7}`, charge(t, session, "one way", 1, "k").Text())
	e := charge(t, session, "one way", 1, "k").Err
	assert.Equal(t, "applied ", fmt.Sprint(e.Effect, " ", e.IdempotencyKey), "there is nothing to repeat")
	assert.Equal(t, 1, runs)
	require.NoError(t, charge(t, session, "unordered", 1, "k").AsError())
	require.NoError(t, charge(t, session, "unordered", 1, "k").AsError(), "the order of members is no matter")
}

// TestHandler_HintAndKey records the failures of calls without and with a key, the same with Rerun,
// and of an idempotent tool without a key. The hint names the argument, and the key is sent if a repeat makes sense.
func TestHandler_HintAndKey(t *testing.T) {
	t.Parallel()
	type in struct {
		Request string `json:"request_id,omitempty"`
	}
	testutil.Recorded(t, "testdata/keys.txt", func(sample string) (answers string) {
		fail, store, stored := new(toolerr.Error), newHooked(), ""
		require.NoError(t, json.Unmarshal([]byte(sample), fail), sample)
		store.finish = func(end idempotency.Ending) error { stored = string(end.Answer); return nil }
		for n, arguments := range []string{`{}`, `{"request_id":"k"}`, `{}`, `{"request_id":"r"}`, `{}`} {
			server := keyed(nil, &idempotency.Options{UpstreamDedupes: n > 1, Argument: "request_id", Store: store},
				func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
					return nil, nil, fail
				})
			params := &mcp.CallToolParams{Name: []string{"charge", "set"}[n/4], Arguments: json.RawMessage(arguments)}
			out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), params))
			assert.Equal(t, out.Err.Effect == toolerr.EffectNone, stored == "", sample)
			assert.NotRegexp(t, `"(idempotencyKey|result)"`, stored, sample)
			answers += regexp.MustCompile(`[A-Z2-7]{26}|,"correlationId":"\d{18}"`).ReplaceAllString(out.Text(), "") + "\n"
		}
		return answers
	})
}

// TestRecord_Tell records what stores answer at the beginning of a year.
func TestRecord_Tell(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/tell.txt", func(sample string) string {
		var of struct {
			Record  idempotency.Record
			Request idempotency.Request
		}
		require.NoError(t, json.Unmarshal([]byte(sample), &of), sample) //nolint:musttag // not the wire
		claim := of.Record.Tell(of.Request, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		return strings.TrimSpace(fmt.Sprintf("%s %s %s", claim.State, claim.Effect, claim.Answer))
	})
}

// TestMemoryStore_Young checks that a store does not run the repeat of an attempt from before it was
// made, which an earlier store may have.
func TestMemoryStore_Young(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	time.Sleep(50 * time.Millisecond)
	store := new(idempotency.MemoryStore)
	idempotency.Handler(&idempotency.Options{Store: store}, new(till).charge)
	claim := func(id string, age time.Duration) idempotency.State {
		c, err := store.Claim(t.Context(), idempotency.Request{ID: id, Owner: "o", Lease: time.Minute, UnknownFor: age})
		require.NoError(t, err)
		return c.State
	}
	assert.Equal(t, idempotency.StateClaimed, claim("new", 0))
	refused := false
	for n := range 20 { // the machine may pause between two lines
		refused = refused || claim(fmt.Sprint(n), time.Since(begun)) == idempotency.StateAbandoned
	}
	assert.True(t, refused, "the repeat of an older attempt is abandoned")
}
