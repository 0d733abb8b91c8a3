package retry_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

var (
	allStatuses = flag.Bool("all", false, "test also statuses with the same outcome")
	versions    = []string{"2025-06-18", "2025-11-25", "2026-07-28"}
)

// trace says what became of a call of write that a gateway has answered with a status, and of the next call.
func trace(t *testing.T, status int, version string, reads bool) (got string) {
	t.Helper()
	gateway := &restarting{status: status, version: version, streams: true, quirk: "first call refused"}
	gateway.within(t, version, reads, func(t *testing.T, c *retry.Client) { //nolint:thelper // the test itself
		sessions, connect, first := 0, c.Connect, ""
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			sessions++ // the calls follow one another
			on, err := connect(ctx)
			assert.Equal(t, version, on.InitializeResult().ProtocolVersion)
			return on, err
		}
		c.Policy = retry.Policy{BaseDelay: 1, MaxRetryAfter: -1, OnDecision: func(out result.Outcome, d retry.Decision) {
			switch {
			case first != "":
			case out.Err == nil:
				first = d.Action.String()
			default:
				e, alive := out.Err, map[bool]string{true: "lost", false: "alive"}[out.SessionLost]
				first = fmt.Sprintf("%s %s effect=%s %s session=%s", cmp.Or(e.Category, "-"), cmp.Or(e.Code, "-"),
					cmp.Or(e.Effect, "-"), d.Action, alive)
			}
		}}
		_, _ = call(t, c, "write")
		_, d := call(t, c, "write")
		got = fmt.Sprintf("%s next=%s on %d", first, d.Action, sessions)
	})
	return got
}

// TestClient_Statuses records what becomes of a tool call that a gateway answers with a status, with and without
// RoundTripper, the same in three versions of the protocol: what is read in it, what is done about it, whether the
// session lives, and how the next call ends. A row is the statuses with one outcome; without -all it tests the first.
func TestClient_Statuses(t *testing.T) {
	t.Parallel()
	statuses := 0
	testutil.Recorded(t, "testdata/statuses.txt", func(sample string) (got string) {
		for part := range strings.FieldsSeq(sample) {
			low, high, _ := strings.Cut(part, "-")
			from, err := strconv.Atoi(low)
			require.NoError(t, err, sample)
			to, _ := strconv.Atoi(cmp.Or(high, low))
			for status := from; status <= to; status++ {
				if statuses++; got != "" && !*allStatuses {
					continue
				}
				for _, version := range versions {
					with, without := trace(t, status, version, true), trace(t, status, version, false)
					text := fmt.Sprintf("with: %s\nwithout: %s\n", with, without)
					assert.Equal(t, cmp.Or(got, text), text, "%d in version %s", status, version)
					got = text
				}
			}
		}
		for line := range strings.Lines(got) { // what must hold for every status
			assert.Contains(t, line, " next=accept ", sample)
			assert.NotContains(t, line, "effect=- ", sample)
			assert.True(t, strings.Contains(line, " verify ") || !strings.Contains(line, "effect=unknown"), sample)
		}
		return got
	})
	assert.Equal(t, 200, statuses)
}
