package evidence_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestArguments_Words(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text, arguments, field string
		fault                  classify.Fault
	}{
		"a quoted value":             {`no project "prj-1"`, `{"project":"prj-1"}`, "project", classify.Callers},
		"before a generic answer":    {`failed to read project "prj-1": resource not found`, `{"id":"prj-1"}`, "id", classify.Callers},
		"before a specific one":      {`weather for "Berlin": template not found`, `{"city":"Berlin"}`, "", classify.Unnamed},
		"a value that is distinct":   {"failed to apply run run-1: conflict", `{"run_id":"run-1"}`, "run_id", classify.Callers},
		"a plain word":               {"the moon is in the way", `{"query":"moon"}`, "", classify.Unnamed},
		"a number":                   {"line 312 is out of range", `{"at":312}`, "at", classify.Callers},
		"a number of nobody":         {"line 312 is out of range", `{"at":7}`, "", classify.Own},
		"a short number by its noun": {"failed to apply poller 9: no server #9", `{"pollerID":9}`, "pollerID", classify.Callers},
		"a short number":             {"there are 9 lives", `{"count":9}`, "", classify.Unnamed},
		"two values":                 {`no branch "x-1" in "acme/shop"`, `{"branch":"x-1","project":"acme/shop"}`, "", classify.Callers},
		"elements of a path":         {"no repository 'acme/shop'", `{"owner":"acme","repo":"shop"}`, "repo", classify.Callers},
		"one of them is not":         {"no repository 'other/shop'", `{"owner":"acme","repo":"shop"}`, "", classify.Own},
		"a name":                     {"project not found", `{"project_id":"p"}`, "project_id", classify.Callers},
		"a name beside another noun": {"config file missing", `{"file":"/a.txt"}`, "", classify.Unnamed},
		"a name in quotes":           {"'color' is not allowed here", `{"color":"red"}`, "color", classify.Callers},
		"something else in quotes":   {`template "invoice" not found`, `{"order":"A-1"}`, "", classify.Own},
		"a path":                     {"permission denied on /var/cache/weather", `{"city":"Berlin"}`, "", classify.Own},
		"within a document":          {`unknown field "spek"`, `{"manifest":"kind: Pod\nspek: {}"}`, "manifest", classify.Callers},
		"a status is no number":      {"request failed: 404", `{"id":1}`, "", classify.Unnamed},
		"no arguments":               {"not found", `{}`, "", classify.Unnamed},
	} {
		field, fault := evidence.New(json.RawMessage(test.arguments)).Words(test.text)
		assert.Equal(t, fmt.Sprint(test.fault, " ", test.field), fmt.Sprint(fault, " ", field), name)
	}
}

func TestArguments_Mask(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, arguments, want string }{
		"the end of a path": {"deadlock/detect.go:12: no symbol", `{"file":"/home/ann/src/deadlock/detect.go"}`, "…:12: no symbol"},
		"behind a folder":   {"open /srv/data/rate-limit.md: gone", `{"path":"rate-limit.md"}`, "open /srv/data/…: gone"},
		"a word":            {"topic deadlock has no readers", `{"topic":"deadlock"}`, "topic … has no readers"},
		"a part of a word":  {"deadlocks are rare", `{"topic":"deadlock"}`, "deadlocks are rare"},
		"several words":     {`nothing for "rate limit exceeded"`, `{"query":"rate limit exceeded"}`, `nothing for "…"`},
		"a number":          {"issue 503 has no comments", `{"issue":503}`, "issue … has no comments"},
		"a short number":    {"page 50 of 7", `{"page":50}`, "page 50 of 7"},
		"a short word":      {"no id", `{"a":"no","b":"id"}`, "no id"},
		"quoted of a text":  {`no column "timeout"`, `{"sql":"select timeout from t"}`, `no column "…"`},
		"the longest":       {"a/b/c is gone", `{"x":"a/b/c","y":"a/b"}`, "… is gone"},
		"nothing sent":      {"deadlock", `{}`, "deadlock"},
	} {
		assert.Equal(t, test.want, evidence.New(json.RawMessage(test.arguments)).Mask(test.text), name)
	}
	// The middle of an endless text is not read, and the work is limited.
	long := strings.Repeat("deadlock ", 1<<18)
	var many []string
	for i := range 5000 {
		many = append(many, fmt.Sprintf("deadlock/%d/%s", i, strings.Repeat("d/", 50)))
	}
	raw, err := json.Marshal(map[string]any{"topics": many, "topic": "deadlock"})
	require.NoError(t, err)
	begin := time.Now()
	got := evidence.New(raw).Mask(long)
	assert.Contains(t, got, "deadlock deadlock")
	assert.LessOrEqual(t, len(got), len(long))
	t.Logf("masked %d bytes in %v", len(long), time.Since(begin))
}

func TestMiddleware_BrokenToolText(t *testing.T) {
	t.Parallel()
	s := newFaultServer(t)
	for own, twin := range map[string]struct {
		text, arguments, field string
		category               toolerr.Category
		code                   toolerr.Code
	}{
		"config key not found":                             {"order not found", `{"order_id":17}`, "order_id", "validation", notFound},
		`template "invoice" not found`:                     {`template "letter" not found`, `{"template":"letter"}`, "template", "validation", notFound},
		"no such table: forecasts":                         {`no such table: "people"`, `{"table":"people"}`, "table", "validation", notFound},
		"the profile does not exist":                       {"profile does not exist", `{"profile":"ann"}`, "profile", "validation", notFound},
		"invalid license file":                             {`invalid format "%q"`, `{"format":"%q"}`, "format", "validation", badInput},
		"the feature flag is not supported":                {`unsupported unit "kelvin"`, `{"unit":"kelvin"}`, "unit", "validation", badInput},
		"row 88 is out of range":                           {"row 412 is out of range", `{"row":412}`, "row", "validation", tooLarge},
		"cache entry already exists":                       {`city "Berlin" already exists`, `{"name":"Berlin"}`, "name", "business", toolerr.CodeAlreadyExists},
		"permission denied: token file of the weather job": {`access to "acct-0017" is denied`, `{"account":"acct-0017"}`, "account", "permission", noAccess},
		"dial tcp: lookup api.weather.invalid: not found":  {`station "EDDB-2" not found`, `{"station":"EDDB-2"}`, "station", "validation", notFound},
	} {
		arguments := `{"city":"Berlin","days":3}`
		for _, wrap := range []func(error) error{
			func(err error) error { return err },
			func(err error) error { return fmt.Errorf("forecast: %w", err) },
			func(err error) error { return fmt.Errorf("forecast: %v", err) }, //nolint:errorlint // some handlers write it so
		} {
			e, log := s.call(t, "read", arguments, wrap(errors.New(own)))
			assert.Equal(t, "transient internal ", fmt.Sprint(e.Category, " ", e.Code, " ", e.Field), own)
			assert.Contains(t, log, "level=ERROR", own)
			assert.Contains(t, e.Hint, "tell the user that the tool failed", own)
			assert.NotContains(t, e.Message+e.Hint, "weather", "text of the error")
			e, log = s.call(t, "read", twin.arguments, wrap(errors.New(twin.text)))
			assert.Equal(t, fmt.Sprint(twin.category, " ", twin.code, " ", twin.field), fmt.Sprint(e.Category, " ", e.Code, " ", e.Field), twin.text)
			assert.Contains(t, log, "level=WARN", twin.text)
			assert.False(t, e.Retryable, twin.text)
			assert.NotContains(t, e.Hint, "tool failed", twin.text)
			assert.NotContains(t, e.Message, twin.text, "text of the error")
		}
	}
}
