package toolerr_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// fromMembers returns an Error with the members of a vector.
func fromMembers(t *testing.T, m map[string]any) *toolerr.Error {
	t.Helper()
	e := new(toolerr.Error)
	for name, v := range m {
		switch name {
		case "errorCategory":
			e.Category = toolerr.Category(as[string](t, v))
		case "isRetryable":
			e.Retryable = as[bool](t, v)
		case "code":
			e.Code = toolerr.Code(as[string](t, v))
		case "message":
			e.Message = as[string](t, v)
		case "hint":
			e.Hint = as[string](t, v)
		case "customerMessage":
			e.CustomerMessage = as[string](t, v)
		case "retryAfterMs":
			e.RetryAfter = millis(as[float64](t, v))
		case "field":
			e.Field = as[string](t, v)
		case "suggestions":
			e.Suggestions = list[string](t, v)
		case "options":
			e.Options = list[any](t, v)
		case "effect":
			e.Effect = toolerr.Effect(as[string](t, v))
		case "idempotencyKey":
			e.IdempotencyKey = as[string](t, v)
		case "alternatives":
			e.Alternatives = list[string](t, v)
		case "correlationId":
			e.CorrelationID = as[string](t, v)
		case "details":
			e.Details = as[map[string]any](t, v)
		case "attempted":
			for _, item := range list[map[string]any](t, v) {
				e.Attempted = append(e.Attempted, attemptFrom(t, item))
			}
		case "partial":
			e.Partial = partialFrom(t, as[map[string]any](t, v))
		default:
			t.Fatalf("unknown member %s", name)
		}
	}
	return e
}

func attemptFrom(t *testing.T, m map[string]any) (a toolerr.Attempt) {
	t.Helper()
	for name, v := range m {
		switch name {
		case "tool":
			a.Tool = as[string](t, v)
		case "arguments":
			a.Arguments = as[map[string]any](t, v)
		case "attempts":
			a.Attempts = int(as[float64](t, v))
		case "elapsedMs":
			a.Elapsed = millis(as[float64](t, v))
		case "errorCategory":
			a.Category = toolerr.Category(as[string](t, v))
		case "code":
			a.Code = toolerr.Code(as[string](t, v))
		case "effect":
			a.Effect = toolerr.Effect(as[string](t, v))
		case "correlationId":
			a.CorrelationID = as[string](t, v)
		default:
			t.Fatalf("unknown member %s of an attempt", name)
		}
	}
	return a
}

func partialFrom(t *testing.T, m map[string]any) *toolerr.Partial {
	t.Helper()
	p := new(toolerr.Partial)
	for name, v := range m {
		switch name {
		case "processed":
			p.Processed = int(as[float64](t, v))
		case "total":
			p.Total = int(as[float64](t, v))
		case "continueFrom":
			p.ContinueFrom = v
			if f, ok := v.(float64); ok { // decoded as a json.Number
				raw, err := json.Marshal(f)
				require.NoError(t, err)
				p.ContinueFrom = json.Number(raw)
			}
		case "results":
			p.Results = resultsFrom(t, v)
		default:
			t.Fatalf("unknown member %s of partial", name)
		}
	}
	return p
}

// resultsFrom returns v as JSON without HTML escaping.
func resultsFrom(t *testing.T, v any) json.RawMessage {
	t.Helper()
	if raw, ok := v.(json.RawMessage); ok {
		return raw
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(v))
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

// list returns v as a list of T.
func list[T any](t *testing.T, v any) []T {
	t.Helper()
	var out []T
	for _, item := range as[[]any](t, v) {
		out = append(out, as[T](t, item))
	}
	return out
}

// millis returns a duration, at most the maximum of a Duration.
func millis(ms float64) time.Duration {
	ns := math.Round(ms * float64(time.Millisecond))
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// withoutEmpties returns e with nil for empty options and details.
func withoutEmpties(e toolerr.Error) *toolerr.Error {
	if len(e.Options) == 0 {
		e.Options = nil
	}
	if len(e.Details) == 0 {
		e.Details = nil
	}
	return &e
}
