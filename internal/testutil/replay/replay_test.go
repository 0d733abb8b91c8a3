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
// middleware. Reveal is not asked about results, so there is one mode.
func TestReplay(t *testing.T) {
	var results table
	for _, rec := range recordings(t) {
		alone, with := newStage(t, &rec, modeAlone, false), newStage(t, &rec, modeDefault, false)
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
	check(t, &results, false, false)
}

// TestReplay_TypedErrors does the same with the errors of the servers' client
// libraries, returned from typed handlers, in all modes.
func TestReplay_TypedErrors(t *testing.T) {
	recs := recordings(t)
	for _, m := range []mode{modeDefault, modeServices, modeAdoption} {
		t.Run(string(m), func(t *testing.T) {
			var results table
			masked := m != modeAdoption
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
					require.Equal(t, err.Error(), text(before), "%s/%s: the handler was not called", rec.file, id)
					after := with.play(t, &c, nil, err)
					o := with.observe(t, &c, after, true)
					s, faults := compare(t, kinds[c.Want], o, before, after, masked)
					results.add(&rec, s)
					report(t, &rec, &c, faults, before, after)
				}
			}
			check(t, &results, true, masked)
		})
	}
}

// misstated are the cases whose typed status contradicts the service's words: 403 or 422
// for a state or a quota. The middleware goes by the status, and reads no words.
var misstated = []string{"digitalocean-go/create-limit", "digitalocean-go/lb-busy", "digitalocean-go/vpc-members"}

// check compares the totals of a table with the promised figures. Typed errors carry members
// that the text alone lacks; prose gets none. Hidden words are the price of hiding: they
// are counted, and not bounded.
func check(t *testing.T, results *table, typed, masked bool) {
	t.Helper()
	t.Logf("\n%s", results)
	total, accepted := results.total(), 0
	if typed {
		accepted = len(misstated)
		assert.GreaterOrEqual(t, 2*(total.better+total.kindOnly), total.cases, "cases with the kind of failure")
	}
	assert.Zero(t, total.lost, "cases that lost words")
	assert.Zero(t, total.read, "cases with members beside prose")
	assert.Equal(t, accepted, total.wrong, "cases with wrong claims")
	assert.Zero(t, total.misdirecting, "cases with misdirecting hints")
	if !masked {
		assert.LessOrEqual(t, total.worse, accepted, "cases that are worse")
	}
}

// report fails the test for a case with faults.
func report(t *testing.T, rec *recording, c *recordedCall, faults string, before, after *mcp.CallToolResult) {
	t.Helper()
	if faults == "" {
		return
	}
	fail := t.Errorf
	if slices.Contains(misstated, rec.file+"/"+c.ID) {
		fail = t.Logf
	}
	fail("%s/%s (%s): %s\n  called %s %s\n  before %.400q\n  after  %.1500s",
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
