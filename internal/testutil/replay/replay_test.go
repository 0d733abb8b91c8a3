package replay_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReplay compares what a model sees of each recorded result with and without the
// middleware, in both modes.
func TestReplay(t *testing.T) {
	for _, m := range []mode{modeDefault, modeAdoption} {
		t.Run(string(m), func(t *testing.T) {
			var results table
			for _, rec := range recordings(t) {
				alone, with := newStage(t, &rec, modeAlone, false), newStage(t, &rec, m, false)
				for _, c := range rec.Calls {
					before := alone.play(t, &c, c.result(t), nil)
					require.JSONEq(t, string(c.Result), encode(t, before), "%s/%s", rec.file, c.ID)
					after := with.play(t, &c, c.result(t), nil)
					o := with.observe(t, &c, after, false)
					s, faults := compare(t, kinds[c.Want], o, before, after, false)
					results.add(&rec, s)
					report(t, &rec, &c, faults, before, after)
				}
			}
			check(t, &results, false)
		})
	}
}

// TestReplay_TypedErrors does the same with the errors of the servers' client
// libraries, returned from typed handlers.
func TestReplay_TypedErrors(t *testing.T) {
	recs := recordings(t)
	for _, m := range []mode{modeDefault, modeAdoption} {
		t.Run(string(m), func(t *testing.T) {
			var results table
			for _, family := range families {
				at := slices.IndexFunc(recs, func(r recording) bool { return r.file == family.file })
				require.GreaterOrEqual(t, at, 0, family.file)
				rec := recs[at]
				alone, with := newStage(t, &rec, modeAlone, true), newStage(t, &rec, m, true)
				for id, tc := range family.cases {
					c := rec.find(t, id)
					err := tc.provoke(t, &c)
					require.Equal(t, withoutPort(text(c.result(t))), withoutPort(err.Error()), "%s/%s", rec.file, id)
					before := alone.play(t, &c, nil, err)
					after := with.play(t, &c, nil, err)
					o := with.observe(t, &c, after, true)
					s, faults := compare(t, kinds[c.Want], o, before, after, m == modeDefault)
					results.add(&rec, s)
					report(t, &rec, &c, faults, before, after)
				}
			}
			check(t, &results, true)
		})
	}
}

// check compares the totals of a table with the promised figures. Typed errors carry members
// that the text alone lacks; prose gets none.
func check(t *testing.T, results *table, typed bool) {
	t.Helper()
	t.Logf("\n%s", results)
	total := results.total()
	assert.Zero(t, total.lost, "cases that lost words")
	assert.Zero(t, total.wrong, "cases with wrong claims")
	assert.Zero(t, total.misdirecting, "cases with misdirecting hints")
	assert.Zero(t, total.worse, "cases that are worse")
	if typed {
		assert.GreaterOrEqual(t, 2*total.better, total.cases, "cases that are better")
	}
}

// report fails the test for a case with faults.
func report(t *testing.T, rec *recording, c *recordedCall, faults string, before, after *mcp.CallToolResult) {
	t.Helper()
	if faults == "" {
		return
	}
	t.Errorf("%s/%s (%s): %s\n  called %s %s\n  before %.400q\n  after  %.1500s",
		rec.file, c.ID, c.Want, faults, c.Tool, plain(string(c.Arguments)), text(before), text(after))
}

// text returns the first text of a result.
func text(res *mcp.CallToolResult) string {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}

// encode returns the recorded members of a result as JSON.
func encode(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	c := *res
	c.Meta = nil
	raw, err := json.Marshal(&c)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(raw, &m))
	delete(m, "resultType")
	raw, err = json.Marshal(m)
	require.NoError(t, err)
	return string(raw)
}
