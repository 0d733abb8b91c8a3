package toolerr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestError_IsOriginal(t *testing.T) {
	t.Parallel()
	base := toolerr.Business("m")
	a, b := base.WithCode("a"), base.WithCode("b")
	copied := a.WithField("f").WithHint("h")
	require.ErrorIs(t, copied, a)
	require.ErrorIs(t, copied, base)
	require.ErrorIs(t, fmt.Errorf("wrapped: %w", copied), a)
	require.NotErrorIs(t, copied, b)
	require.NotErrorIs(t, a, copied)
	require.NotErrorIs(t, a, toolerr.Business("m"))
	require.NotErrorIs(t, copied, (*toolerr.Error)(nil))
	require.ErrorIs(t, a.Resolve(toolerr.ToolAnnotations{}), a)
	cause := fmt.Errorf("around: %w", a)
	require.ErrorIs(t, toolerr.Wrap(cause, "m"), cause)
	require.ErrorIs(t, toolerr.Internal(cause), cause)
}

func TestError_Templates(t *testing.T) {
	t.Parallel()
	template := full().WithPartial(&toolerr.Partial{Results: json.RawMessage(`[1]`)})
	before := string(template.AppendJSON(nil))
	c := template.WithMessage("other")
	c.Suggestions[0], c.Alternatives[0] = "changed", "changed"
	c.Options[0] = "changed"
	c.Details["m"] = "changed"
	c.Attempted[0].Arguments["q"] = "changed"
	c.Partial.Results[1] = '2'
	assert.Equal(t, before, string(template.AppendJSON(nil)), "a change of the copy changed the template")

	// The arguments of With methods are copied too.
	details, list, options := map[string]any{"a": 1}, []string{"x"}, []any{"x"}
	e := toolerr.Validation("m").WithDetails(details).WithSuggestions(list...).WithAlternatives(list...).
		WithOptions(options...)
	before = string(e.AppendJSON(nil))
	details["a"], list[0], options[0] = 2, "y", "y"
	assert.Equal(t, before, string(e.AppendJSON(nil)), "a change of the arguments changed the failure")

	for more, want := range []string{"x", "y"} { // 4096 items are copied; with one more, the list or map is shared
		list, options := slices.Repeat([]string{"x"}, 4096+more), slices.Repeat([]any{"x"}, 4096+more)
		details := map[string]any{}
		for len(details) < len(options) {
			details[strconv.Itoa(len(details))] = "x"
		}
		e := toolerr.Validation("m").WithSuggestions(list...).WithOptions(options...).WithDetails(details)
		list[0], options[0], details["0"] = "y", "y", "y"
		assert.Equal(t, []any{want, want, want}, []any{e.Suggestions[0], e.Options[0], e.Details["0"]})
	}
}

func TestError_With(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	e := toolerr.Transient("m").WithMessage("n").WithCode("c").WithRetryable(false).WithHint("h").
		WithCustomerMessage("cm").
		WithRetryAfter(time.Second).WithField("f").WithSuggestions("s").WithOptions(1).WithEffect(toolerr.EffectApplied).
		WithIdempotencyKey("k").WithAlternatives("a").WithCorrelationID("id").WithDetails(map[string]any{"d": 1}).
		WithAttempted(toolerr.Attempt{Tool: "t"}).WithPartial(&toolerr.Partial{Processed: 1}).WithCause(cause)
	assert.EqualExportedValues(t, toolerr.Error{
		Category: "transient", Message: "n", Code: "c", Hint: "h", CustomerMessage: "cm", RetryAfter: time.Second, Field: "f",
		Suggestions: []string{"s"},
		Options:     []any{1}, Effect: "applied", IdempotencyKey: "k", Alternatives: []string{"a"}, CorrelationID: "id",
		Details:   map[string]any{"d": 1},
		Attempted: []toolerr.Attempt{{Tool: "t"}}, Partial: &toolerr.Partial{Processed: 1},
	}, *e)
	require.ErrorIs(t, e, cause)
	assert.Nil(t, e.WithPartial(nil).Partial)
	for results, isEmpty := range map[string]bool{`{"sent":[],"more":{"n":0}}`: true, `{"sent":["a"]}`: false} {
		assert.Equal(t, isEmpty, e.WithPartial(&toolerr.Partial{Results: json.RawMessage(results)}).Partial == nil, results)
	}
	assert.False(t, toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1}).Retryable)
	assert.Equal(t, toolerr.Transient("m").Retryable,
		toolerr.Transient("m").WithPartial(&toolerr.Partial{Total: 5}).Retryable)
}

func TestError_Nil(t *testing.T) {
	t.Parallel()
	var e *toolerr.Error
	assert.Equal(t, "<nil>", e.Error())
	require.NoError(t, e.Unwrap())
	assert.Nil(t, e.WithHint("h"))
	require.NotErrorIs(t, e, toolerr.Business("m"))
	assert.Equal(t, "<nil>", e.LogValue().String())
	require.ErrorContains(t, e.UnmarshalJSON([]byte(`{}`)), "on a nil *Error")
}

// TestLogValue checks that the log has the cause as it is, within 2 KiB, with credentials masked.
func TestLogValue(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2000)
	for text, want := range map[string]string{
		`There is no order 4711 of "APLE"`: `There is no order 4711 of "APLE"`,
		`Get "https://bob:hunter2@db.example:8443/x?order=7&token=abc": refused by postgres://u:p/w?d@host/db`: `Get "https://bob:[masked]@db.example:8443/x?order=7&token=[masked]": refused by postgres://u:[masked]@host/db`,
		`login {"user":"ann","password":"hunter2"} failed`:                                                     `login {"user":"ann","password":"[masked]"} failed`,
		"sent Authorization: Bearer abc.def-ghi":                                                               "sent Authorization: [masked]",
		"ghp_0123456789abcdefghij\x1b[31m is red":                                                              "[masked] is red",
		long + " password=hunter2 " + long:                                                                     (long + " password=[masked] " + long)[:2045] + "…",
	} {
		e := full().WithCause(errors.New(text)).WithMessage("pin=" + text[:1])
		e.IdempotencyKey, e.Details, e.Attempted[0].Arguments = "key-7781", map[string]any{"card": "card-4"},
			map[string]any{"pin": "pin-9"}
		got := map[string]string{}
		for _, attr := range e.LogValue().Group() {
			got[attr.Key] = attr.Value.String()
		}
		assert.Equal(t, map[string]string{
			"category": "transient", "code": "rate_limited", "retryable": "false", "message": "pin=[masked]",
			"field": "items[].sku", "effect": "none", "correlation_id": "c1", "cause": want,
		}, got)
	}
	assert.Contains(t, toolerr.Transient("m").WithCause(panicky{}).LogValue().String(), "Error method panicked")
	inner := toolerr.Business("b").WithCause(errors.New("c"))
	assert.Contains(t, toolerr.Transient("m").WithCause(inner).LogValue().String(), "cause=b: c]")
}

// TestError_ByValue checks that an Error shows its message alone however it is printed, and by
// value also however it is logged or encoded. A nil pointer is printed as such.
func TestError_ByValue(t *testing.T) {
	t.Parallel()
	e := full().WithCause(errors.New("password=hunter2"))
	e.IdempotencyKey, e.Details, e.Partial = "key-7781", map[string]any{"d": "card-4"},
		&toolerr.Partial{ContinueFrom: "p-17"}
	e.Attempted[0].Arguments, e.Options = map[string]any{"pin": "pin-9"}, []any{"o-17"}
	type holder struct{ E toolerr.Error }
	shown := map[string]string{}
	for name, v := range map[string]any{"pointer": e, "value": *e, "struct": holder{*e}, "list": []toolerr.Error{*e}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			shown[name+" "+verb] = fmt.Sprintf(verb, v)
		}
		var text, object bytes.Buffer
		slog.New(slog.NewTextHandler(&text, nil)).Error("failed", "err", v)
		if name != "list" { // a list is addressable: its items are encoded as pointers are
			slog.New(slog.NewJSONHandler(&object, nil)).Error("failed", "err", v)
		}
		shown[name+" in a log"] = text.String() + object.String()
	}
	raw, err := json.Marshal(map[string]any{"value": *e, "struct": holder{*e}})
	require.NoError(t, err)
	text, err := json.Marshal(e.Message)
	require.NoError(t, err)
	assert.JSONEq(t, `{"value":`+string(text)+`,"struct":{"E":`+string(text)+`}}`, string(raw))
	for how, printed := range shown {
		for _, secret := range []string{"hunter2", "key-7781", "card-4", "pin-9", "p-17", "o-17", "errorString"} {
			assert.NotContains(t, printed, secret, how)
		}
	}
	assert.Equal(t, e.Message, fmt.Sprintf("%+v", *e))
	var none *toolerr.Error
	assert.Equal(t, "<nil> <nil> <nil>", fmt.Sprintf("%v %+v %s", none, none, none))
	raw, err = json.Marshal(none)
	require.NoError(t, err)
	assert.Equal(t, "null", string(raw))
}

type panicky struct{}

func (panicky) Error() string { panic("boom") }

type standInError struct{}

func (standInError) Error() string { return "stand-in" }

func (standInError) As(target any) bool {
	t, ok := target.(**toolerr.Error)
	if ok {
		*t = toolerr.Business("m").WithCode("c")
	}
	return ok
}
