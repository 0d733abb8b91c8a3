package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// text is a failed result with one text block, beside a result with structured
// content and a protocol error.
func text(s string) string {
	block, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"result":{"content":[{"type":"text","text":%s}],"isError":true}}`, block)
}

func object(s string) string {
	return fmt.Sprintf(`{"result":{"content":[{"type":"text","text":"It failed."}],"structuredContent":%s,"isError":true}}`, s)
}

func thrown(data string) string {
	return fmt.Sprintf(`{"error":{"code":-32603,"message":"It failed.","data":%s}}`, data)
}

const fine = `{"result":{"content":[{"type":"text","text":"{\"isRetryable\":true}"}],` +
	`"structuredContent":{"orders":[]}}}`

func TestKinds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wire string
		dead bool
		want string
	}{
		"data in the text":         {wire: text(`{"code":"x"}`), want: kindJSON},
		"data beside the text":     {wire: object(`{"code":"x"}`), want: kindJSON},
		"prose":                    {wire: text("It failed."), want: kindText},
		"an empty object":          {wire: text(`{}`), want: kindText},
		"no content at all":        {wire: `{"result":{"isError":true}}`, want: kindText},
		"protocol":                 {wire: thrown(`{}`), want: kindProtocol},
		"not flagged":              {wire: fine, want: kindSuccess},
		"not flagged, and a crash": {wire: fine, dead: true, want: kindSuccess},
		"null":                     {wire: `{"result":null}`, want: kindNull},
		"silence":                  {want: kindNone},
		"crash":                    {dead: true, want: kindCrash},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, answer{wire: []byte(test.wire), alive: !test.dead}.kind())
		})
	}
}

func TestLeaks(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]bool{
		text("cannot reach " + ledger):         true,
		thrown(`"` + ledger + `"`):             true,
		object(`{"m":"` + ledger + `"}`):       true,
		text("cannot reach the ledger"):        false,
		text("postgres://desk:xxxxx@10.0.3.7"): false,
		"":                                     false,
	} {
		assert.Equal(t, want, answer{wire: []byte(wire)}.leaks(), wire)
	}
}

// Each role is found in the common spellings and in any place, but not in prose.
func TestRoles(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]map[string]bool{
		text(`{"isRetryable":false}`):                                {"retry": true},
		object(`{"error":{"retryable":true}}`):                       {"retry": true},
		thrown(`{"is_retryable":true}`):                              {"retry": true},
		text(`{"isRetryable":"maybe"}`):                              {},
		text(`isRetryable: true`):                                    {},
		text(`{"message":"isRetryable is false, see hint"}`):         {},
		text(`{"field":"status","hint":"Send open."}`):               {"field": true, "next": true},
		object(`{"error":{"details":{"parameter":"status"}}}`):       {"field": true},
		text(`{"field":"","hint":""}`):                               {},
		text(`{"field":7,"suggestions":[]}`):                         {},
		text(`{"suggestions":["open"]}`):                             {"next": true},
		text(`{"suggestions":[{"status":"open"}]}`):                  {},
		text(`{"suggestedAction":"Wait."}`):                          {"next": true},
		text(`{"effect":"unknown"}`):                                 {"effect": true},
		object(`{"may_have_succeeded":true}`):                        {"effect": true},
		text(`{"retryAfterMs":7000}`):                                {"millis": true},
		text(`{"retry_after_seconds":7}`):                            {"seconds": true},
		text(`{"retryAfterMs":0,"retryAfter":"7"}`):                  {},
		text(`validating /properties/status: hint: retry after 7 s`): {},
		"": {},
	} {
		a := answer{wire: []byte(wire)}
		for name, r := range map[string]role{
			"retry": roleRetry, "field": roleField, "next": roleNext, "effect": roleEffect, "millis": roleMillis,
			"seconds": roleSeconds,
		} {
			assert.Equal(t, want[name], a.says(r) == 1, "%s in %s", name, wire)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]bool{
		text(`{"field":"status"}`):       true,
		text(`{"pointer":"/status"}`):    true,
		object(`{"path":"$.status"}`):    true,
		text(`{"field":"customer"}`):     false,
		text(`{"field":["status"]}`):     false,
		text(`{"message":"status: no"}`): false,
		text("status"):                   false,
	} {
		assert.Equal(t, want, answer{wire: []byte(wire)}.names("status"), wire)
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]time.Duration{
		text(`{"retryAfterMs":7000}`):          7 * time.Second,
		object(`{"error":{"retry_after":7}}`):  7 * time.Second,
		thrown(`{"retryAfterSeconds":0.5}`):    500 * time.Millisecond,
		text(`{"retryAfterMs":1}`):             time.Millisecond,
		text(`{"hint":"Wait 7 s."}`):           0,
		text("429, Retry-After: 7"):            0,
		text(`{"retryAfterMs":"7000"}`):        0,
		text(`{"retryAfterMs":-1,"delay":-1}`): 0,
	} {
		assert.Equal(t, want, answer{wire: []byte(wire)}.wait(), wire)
	}
}

func TestBooking(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{
		text(`{"effect":"unknown","isRetryable":true}`):  "effect unknown, retry",
		text(`{"effect":"unknown","isRetryable":false}`): "effect unknown, no retry",
		object(`{"mayHaveSucceeded":true}`):              "mayHaveSucceeded",
		text(`{"retryable":true}`):                       "retry",
		text(`{"retryable":false}`):                      "no retry",
		text(`{"message":"It may have been booked."}`):   "nothing",
		text("EOF"): "nothing",
	} {
		assert.Equal(t, want, answer{wire: []byte(wire)}.booking(), wire)
	}
}

// The facts about all answers together can be true and false.
func TestFactsOf(t *testing.T) {
	t.Parallel()
	flagged := text(`{"isRetryable":true}`)
	for name, test := range map[string]struct {
		empty          string
		failures       []string
		told, oneShape bool
		answers        string
	}{
		"as it should be":        {fine, []string{flagged, flagged}, true, true, "2 JSON"},
		"empty is a failure":     {flagged, []string{flagged}, false, true, "1 JSON"},
		"a failure is a success": {fine, []string{flagged, fine}, false, false, "1 JSON, 1 success"},
		"prose among data":       {fine, []string{flagged, text("It failed.")}, true, false, "1 JSON, 1 text"},
		"another spelling":       {fine, []string{flagged, text(`{"retryable":true}`)}, true, false, "2 JSON"},
		"another place":          {fine, []string{flagged, text(`{"error":{"isRetryable":true}}`)}, true, false, "2 JSON"},
		"other members": {
			fine,
			[]string{flagged, text(`{"isRetryable":false,"field":"status"}`)},
			true, true,
			"2 JSON",
		},
		"silence": {fine, []string{"", flagged}, true, false, "1 JSON, 1 no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := []answer{
				{call: found, wire: []byte(fine), alive: true},
				{call: nothingFound, wire: []byte(test.empty), alive: true},
			}
			for _, wire := range test.failures {
				answers = append(answers, answer{call: call{name: "a failure"}, wire: []byte(wire), alive: true})
			}
			f := factsOf(nil, answers)
			assert.Equal(t, test.told, f.told)
			assert.Equal(t, test.oneShape, f.oneShape)
			assert.Equal(t, test.answers, f.answers)
		})
	}
}

func TestStrictClient(t *testing.T) {
	t.Parallel()
	strict, err := newStrictClient([]byte(`{"result":{"tools":[{"name":"free"},{"name":"search_orders","outputSchema":
		{"type":"object","properties":{"orders":{"type":"array"}},"required":["orders"],"additionalProperties":false}}]}}`))
	require.NoError(t, err)
	for wire, accepted := range map[string]bool{
		fine:                        true,
		text(`{"code":"x"}`):        true,
		object(`{"orders":[]}`):     true,
		object(`{"code":"x"}`):      false,
		object(`{"orders":7}`):      false,
		thrown(`{"code":"x"}`):      true,
		`{"result":{"content":[]}}`: false,
		"":                          true,
	} {
		err := strict.accept(answer{call: found, wire: []byte(wire)})
		assert.Equal(t, accepted, err == nil, "%s: %v", wire, err)
		require.NoError(t, strict.accept(answer{call: call{tool: "free"}, wire: []byte(wire)}))
	}
	f := factsOf(strict, []answer{
		{call: misspelt, wire: []byte(object(`{"code":"x"}`))},
		{call: missing, wire: []byte(object(`{"orders":[]}`))},
	})
	assert.Equal(t, 1, f.dropped)

	_, err = newStrictClient(nil)
	require.ErrorContains(t, err, "cannot read the list of tools")
	_, err = newStrictClient([]byte(`{"result":{"tools":[{"name":"x","outputSchema":{"$ref":"#/nowhere"}}]}}`))
	require.ErrorContains(t, err, "cannot read the output schema of x")
}

// The wire returns the last response, and nothing else.
func TestWire(t *testing.T) {
	t.Parallel()
	w := new(wire)
	assert.Empty(t, w.response())
	parts := []string{`{"id":1,"res`, `ult":{}}` + "\n", `{"method":"ping","id":2}` + "\n", `{"id":3,`}
	for _, part := range parts {
		_, err := w.Write([]byte(part))
		require.NoError(t, err)
	}
	assert.Equal(t, parts[0]+strings.TrimSpace(parts[1]), string(w.response()))
	w.reset()
	assert.Empty(t, w.response())
}
