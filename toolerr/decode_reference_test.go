package toolerr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// FuzzUnmarshalJSON compares UnmarshalJSON with a decoder that uses encoding/json for each
// member.
func FuzzUnmarshalJSON(f *testing.F) {
	for _, s := range samples() {
		f.Add(string(s.e.AppendJSON(nil)))
		f.Add(string(otherOrder(s.e.AppendJSON(nil))))
	}
	for _, in := range []string{
		`{"message":"a","Message":"b","message":"c","MESSAGE":"d","\u006dessage":"e"}`, `{"isRetryable":true,"isRetryable":null,"code":"timeout"}`,
		`{"message":"\ud800 \ud83d\ude00 \udc00\ud800\u0041 \u0000\b\f\/","code":"a\ud800"}`, "{\"message\":\"\xff\xc3(\",\"code\":\"\xff\",\"\xff\":1}",
		`{"retryAfterMs":1.5e3,"partial":{"processed":1e1,"total":-0,"continueFrom":16.0,"results":[ 1 , "a b" ]}}`,
		`{"retryAfterMs":"2000","attempted":[{"elapsedMs":1e400,"attempts":1e400,"arguments":{"a":{"b":[1,{}]}}},7,null]}`,
		`{"details":{"a":1,"a":{},"b":-0,"c":0.10,"d":1e21,"e":0.0000001,"f":123456789012345678,"":null,"\u200b":1},"options":[null,[[]],-1.25]}`,
		`{"details":{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}`, ` { "effect" : "none" , "effect" : 7 } `,
		`{"a":01}`, `{"a":+1}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":tru}`, `{,}`, `{"a":1,}`, `{"a" 1}`, `{} {}`, `[]`, `null`, "{\"a\":\"\t\"}", `{"a":"\x"}`, `{"a":"\u12g4"}`,
	} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var got toolerr.Error
		err := got.UnmarshalJSON([]byte(in))
		if strings.TrimSpace(in) == "null" {
			require.NoError(t, err)
			return
		}
		want, wantErr := reference(in)
		require.Equal(t, wantErr == nil, err == nil, "%q: %v and %v", in, wantErr, err)
		if err != nil {
			require.Equal(t, toolerr.Error{}, got, "value after an error")
			return
		}
		if strings.Count(in, "[") > 30 || len(in) > 4<<10 { // the reference has no limits
			got.Details, got.Options, got.Attempted, want.Details, want.Options, want.Attempted = nil, nil, nil, nil, nil, nil
		}
		require.Equal(t, want, got, "%q", in)
	})
}

// object is a JSON object with case-sensitive names.
type object map[string]json.RawMessage

// member decodes a member, or returns the zero value if it has another type.
func member[T any](o object, name string) (v T) {
	if json.Unmarshal(o[name], &v) != nil {
		return *new(T)
	}
	return v
}

func (o object) text(name string) string {
	return sanitize.Text(member[string](o, name), sanitize.MaxLength)
}
func (o object) id(name string) string { return sanitize.Identifier(member[string](o, name)) }

func (o object) texts(name string) (out []string) {
	for _, raw := range member[[]json.RawMessage](o, name) {
		if text := (object{"": raw}).text(""); text != "" && len(out) < 20 {
			out = append(out, text)
		}
	}
	return out
}

func (o object) millis(name string) time.Duration {
	ms, _ := member[json.Number](o, name).Float64()
	if !(ms > 0) {
		return 0
	}
	return time.Duration(math.Ceil(min(ms, 365*24*3600*1000))) * time.Millisecond
}

func (o object) count(name string) int {
	return int(min(max(member[float64](o, name), 0), 1<<53))
}

func (o object) value(name string) any {
	v, _ := jsonvalue.Decode(o[name])
	return cleaned(v)
}

// cleaned returns a value as UnmarshalJSON reads it from details.
func cleaned(v any) any {
	switch v := v.(type) {
	case string:
		return sanitize.Text(v, sanitize.MaxLength)
	case json.Number:
		f, err := v.Float64()
		if raw, _ := json.Marshal(f); err == nil && string(raw) == string(v) {
			return f
		}
		return v
	case []any:
		out := []any{}
		for _, item := range v[:min(len(v), 20)] {
			if n, ok := item.(json.Number); ok && len(n) > 64 {
				item = nil
			}
			out = append(out, cleaned(item))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			n, ok := item.(json.Number)
			if k == sanitize.Identifier(k) && (!ok || len(n) <= 64) {
				out[k] = cleaned(item)
			}
		}
		return out
	}
	return v
}

func reference(in string) (e toolerr.Error, err error) {
	var o object
	if err := json.Unmarshal([]byte(in), &o); err != nil || o == nil {
		return e, errors.Join(err, errors.New("no object"))
	}
	e = toolerr.Error{
		Category: toolerr.Category(o.id("errorCategory")), Code: toolerr.Code(o.id("code")), Message: o.text("message"), Hint: o.text("hint"),
		CustomerMessage: o.text("customerMessage"), RetryAfter: o.millis("retryAfterMs"), Field: o.id("field"), Suggestions: o.texts("suggestions"),
		Effect: effectOf(o), IdempotencyKey: o.id("idempotencyKey"), Alternatives: o.texts("alternatives"), CorrelationID: o.id("correlationId"),
		Attempted: attemptsOf(o), Partial: partOf(o),
	}
	e.Details, _ = o.value("details").(map[string]any)
	if options, _ := o.value("options").([]any); len(options) > 0 {
		e.Options = options
	}
	flag := member[any](o, "isRetryable")
	known := e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeRateLimited || e.Code == toolerr.CodeUnavailable
	if e.Partial == nil {
		e.Retryable = flag == true || flag == nil && known
		if flag == nil && known && e.Effect == "" {
			e.Effect = toolerr.EffectUnknown
		}
	}
	return e, nil
}

func effectOf(o object) toolerr.Effect {
	v := member[any](o, "effect")
	text, ok := v.(string)
	if v != nil && (!ok || len(text) > 64 || sanitize.Identifier(text) != text) {
		return toolerr.EffectUnknown
	}
	return toolerr.Effect(text)
}

func attemptsOf(o object) (out []toolerr.Attempt) {
	for _, raw := range member[[]json.RawMessage](o, "attempted") {
		a := member[object](object{"": raw}, "")
		arguments, _ := a.value("arguments").(map[string]any)
		if out = append(out, toolerr.Attempt{
			Tool: a.text("tool"), Arguments: arguments, Attempts: a.count("attempts"), Elapsed: a.millis("elapsedMs"),
			Category: toolerr.Category(a.id("errorCategory")), Code: toolerr.Code(a.id("code")),
			Effect: effectOf(a), CorrelationID: a.id("correlationId"),
		}); len(out) == 20 {
			break
		}
	}
	return out
}

func partOf(o object) *toolerr.Partial {
	w := member[object](o, "partial")
	if w == nil {
		return nil
	}
	p := &toolerr.Partial{Processed: w.count("processed"), Total: w.count("total")}
	switch cursor := w.value("continueFrom").(type) {
	case string:
		if id := w.id("continueFrom"); id != "" {
			p.ContinueFrom = id
		}
	case float64, json.Number:
		wire := (&toolerr.Error{Partial: &toolerr.Partial{ContinueFrom: cursor}}).AppendJSON(nil)
		if _, number, ok := strings.Cut(string(wire), `"continueFrom":`); ok {
			p.ContinueFrom = json.Number(strings.TrimSuffix(number, "}}"))
		}
	}
	if raw := w["results"]; len(raw) > 0 && string(raw) != "null" {
		var b bytes.Buffer
		if json.Compact(&b, bytes.ToValidUTF8(raw, []byte("\uFFFD"))) == nil {
			p.Results = b.Bytes()
		}
	}
	return p
}
