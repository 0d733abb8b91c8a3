package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(envServer); name != "" {
		os.Exit(serveChild(name))
	}
	os.Exit(m.Run())
}

// An outcome is what has to become of a conversation.
type outcome struct {
	calls int    // that reach the server; 0 is not compared
	done  string // in the ledger
	reads string // matches the first answer, after the words of an agent's library
	says  string // matches the last words
}

const (
	allShipped  = "shipped ORD-1, shipped ORD-2, shipped ORD-3, shipped ORD-4, shipped ORD-5"
	someShipped = "shipped ORD-1, shipped ORD-2, shipped ORD-3"
	refunded    = "refunded ORD-7"
	ended       = `^\(the agent's run ended\) .*EOF`
	closed      = `^It failed: .*connection closed`
	looked      = `^It is unclear whether it was done\. I have looked: `
)

// outcomes are by agent, server and situation, or by server and situation if the agents agree,
// without this module and with it.
var outcomes = map[string]struct{ without, with outcome }{
	"adk-go/SDK alone/lost session": {
		outcome{2, "", `shipped`, `^Done: .*shipped`},
		outcome{2, "", `shipped`, `^Done: .*shipped`},
	},
	"eino/SDK alone/lost session": {outcome{1, "", "", ended}, outcome{2, "", `shipped`, `^Done: .*shipped`}},
	"anthropic-sdk-go/SDK alone/lost session": {
		outcome{1, "", `EOF`, closed},
		outcome{2, "", `shipped`, `^Done: .*shipped`},
	},
	"SDK alone/429 with a wait": {
		outcome{0, "", `429 Too Many Requests, retry after 1 seconds`, ""},
		outcome{2, "", `12 left`, `^Done: .*12 left`},
	},
	"adk-go/SDK alone/refused arguments": {
		outcome{2, "", `validating "arguments": .*days`, `^Done: .*ORD-7`},
		outcome{2, "", `validating "arguments": .*days`, `^Done: .*ORD-7`},
	},
	"SDK alone/refused arguments": {
		outcome{2, "", `validating "arguments": .*days`, `^Done: .*ORD-7`},
		outcome{2, "", `^\{"isError":true,.*days.*"effect":"none"`, `^Done: .*ORD-7`},
	},
	"adk-go/SDK alone/business refusal": {outcome{1, "", `^refund exceeds limit$`, `^It failed: .*refund exceeds ` +
		`limit$`}, outcome{1, "", `^refund exceeds limit$`, `^It failed: .*refund exceeds limit$`}},
	"SDK alone/business refusal": {outcome{1, "", `^refund exceeds limit$`, `^It failed: .*refund exceeds ` +
		`limit$`}, outcome{1, "", `"errorCategory":"business","isRetryable":false`, `^It failed: refund exceeds limit$`}},
	"SDK alone/empty": {
		outcome{1, "", `"orders":null`, `^Done: .*null`},
		outcome{1, "", `"orders":null`, `^Done: .*null`},
	},
	"adk-go/SDK alone/partial": {outcome{
		2, someShipped + ", " + allShipped, `^carrier unavailable`,
		`^Done: .*ORD-5`,
	}, outcome{2, someShipped, `^carrier unavailable`, looked + `.*"shipped ORD-3"\]`}},
	"SDK alone/partial": {outcome{
		2, someShipped + ", " + allShipped, `^carrier unavailable`,
		`^Done: .*ORD-5`,
	}, outcome{
		2, someShipped, `"isRetryable":false,"message":"carrier unavailable`,
		looked + `.*"shipped ORD-3"\]`,
	}},
	"adk-go/SDK alone/lost reply": {
		outcome{2, refunded + ", " + refunded, `RE-ORD-7`, `^Done: .*RE-ORD-7`},
		outcome{2, refunded, `"effect":"unknown"`, looked + `.*"refunded ORD-7"\]`},
	},
	"eino/SDK alone/lost reply": {
		outcome{1, refunded, "", ended},
		outcome{2, refunded, `"effect":"unknown"`, looked + `.*"refunded ORD-7"\]`},
	},
	"anthropic-sdk-go/SDK alone/lost reply": {
		outcome{1, refunded, `EOF`, closed},
		outcome{2, refunded, `"effect":"unknown"`, looked + `.*"refunded ORD-7"\]`},
	},

	"adk-go/toolerr/lost session": {
		outcome{2, "", `shipped`, `^Done: .*shipped`},
		outcome{2, "", `shipped`, `^Done: .*shipped`},
	},
	"eino/toolerr/lost session": {outcome{1, "", "", ended}, outcome{2, "", `shipped`, `^Done: .*shipped`}},
	"anthropic-sdk-go/toolerr/lost session": {
		outcome{1, "", `EOF`, closed},
		outcome{2, "", `shipped`, `^Done: .*shipped`},
	},
	"toolerr/429 with a wait": {outcome{
		0, "",
		`"isRetryable":true,"code":"rate_limited",.*"retryAfterMs":1000`, "",
	}, outcome{2, "", `12 left`, `^Done: .*12 left`}},
	"toolerr/refused arguments": {
		outcome{2, "", `"field":"days"`, `^Done: .*ORD-7`},
		outcome{2, "", `"field":"days"`, `^Done: .*ORD-7`},
	},
	"toolerr/business refusal": {
		outcome{1, "", `"code":"limit_exceeded"`, `^A colleague has to approve`},
		outcome{1, "", `"code":"limit_exceeded"`, `^A colleague has to approve`},
	},
	"adk-go/toolerr/empty": {
		outcome{1, "", `"orders":\[\]`, `^Done: `},
		outcome{1, "", `"orders":\[\]`, `^Done: `},
	},
	"toolerr/empty": {
		outcome{1, "", `^Customer CUS-9 has no orders\.`, `^Done: `},
		outcome{1, "", `^Customer CUS-9 has no orders\.`, `^Done: `},
	},
	"toolerr/partial": {
		outcome{2, allShipped, `"continueFrom":"ORD-4"`, `^Done: .*ORD-5`},
		outcome{2, allShipped, `"continueFrom":"ORD-4"`, `^Done: .*ORD-5`},
	},
	"adk-go/toolerr/lost reply": {
		outcome{2, refunded + ", " + refunded, `RE-ORD-7`, `^Done: .*RE-ORD-7`},
		outcome{2, refunded, `"effect":"unknown","idempotencyKey"`, `^Done: .*RE-ORD-7`},
	},
	"eino/toolerr/lost reply": {
		outcome{1, refunded, "", ended},
		outcome{2, refunded, `RE-ORD-7`, `^Done: .*RE-ORD-7`},
	},
	"anthropic-sdk-go/toolerr/lost reply": {
		outcome{1, refunded, `EOF`, closed},
		outcome{2, refunded, `RE-ORD-7`, `^Done: .*RE-ORD-7`},
	},
}

func TestAll_Outcomes(t *testing.T) {
	t.Parallel()
	cells, err := all(t.Context(), t.TempDir())
	require.NoError(t, err)
	found := map[string]bool{}
	for i, c := range cells {
		name, _, _ := strings.Cut(agents[i/len(situations)/len(servers)].name, ":")
		key := servers[i/len(situations)%len(servers)] + "/" + c.with.name
		if _, ok := outcomes[name+"/"+key]; ok {
			key = name + "/" + key
		}
		require.Contains(t, outcomes, key)
		found[key] = true
		check(t, name+", without: "+key, outcomes[key].without, c.without)
		check(t, name+", with: "+key, outcomes[key].with, c.with)
		assert.Zero(t, twice(c.with.done), key)
		require.NoError(t, c.with.err, key)
	}
	assert.Len(t, found, len(outcomes), "every outcome has been compared")

	var out bytes.Buffer
	require.NoError(t, write(&harness.Transcript{W: &out}, cells))
	assert.Equal(t, 2*len(cells), strings.Count(out.String(), "calls that reached the server: "))
	for _, c := range cells {
		for _, text := range []string{c.without.end(), c.with.end()} {
			assert.Contains(t, out.String(), text)
		}
	}
	assert.Len(t, regexp.MustCompile(`(?m), with +6 of 7 +12 +0$`).FindAllString(out.String(), -1),
		len(agents)*len(servers), out.String())
}

// library matches what an agent's library writes before a failure.
var library = regexp.MustCompile(`^(Error: |Tool execution failed\. Details: )+`)

// check compares a conversation with what has to become of it.
func check(t *testing.T, name string, want outcome, c conversation) {
	t.Helper()
	if want.calls > 0 {
		assert.Equal(t, want.calls, c.calls, "%s: %v", name, c.read)
	}
	assert.Equal(t, want.done, strings.Join(c.done, ", "), name)
	if want.reads == "" {
		assert.Empty(t, c.read, name)
	} else if assert.NotEmpty(t, c.read, name) {
		assert.Regexp(t, want.reads, library.ReplaceAllString(c.read[0], ""), name)
	}
	assert.Regexp(t, want.says, c.end(), name)
}

// The tools of sessionTools show the model the same as those of anthropic-sdk-go.
func TestSessionTools_SameAsLibrary(t *testing.T) {
	t.Parallel()
	same := func(ctx context.Context, s *script, p *program) error {
		session, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil).Connect(ctx, p, nil)
		if err != nil {
			return err
		}
		tools, err := sessionTools(ctx, session)
		if err != nil {
			return err
		}
		return runAnthropic(ctx, s, tools)
	}
	for _, s := range situations[2:] { // the first two differ in nothing but when they end
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "ledger")
			theirs, err := converse(t.Context(), anthropicAlone, serverAlone, s, ledger(path+"-theirs"))
			require.NoError(t, err)
			ours, err := converse(t.Context(), same, serverAlone, s, ledger(path+"-ours"))
			require.NoError(t, err)
			assert.Equal(t, theirs.read, ours.read)
			assert.Equal(t, theirs.done, ours.done)
			assert.Equal(t, theirs.end(), ours.end())
		})
	}
}

// Without asTexts, a failed result ends the run of eino's agent, and its model reads nothing.
func TestEino_DefaultResultPolicy(t *testing.T) {
	t.Parallel()
	byDefault := func(ctx context.Context, s *script, p *program) error {
		client := newClient(p)
		defer func() { _ = client.Close() }()
		return runEino(ctx, s, client.AsSession(), nil)
	}
	c, err := converse(t.Context(), byDefault, serverAdopted, situations[3], ledger(filepath.Join(t.TempDir(), "ledger")))
	require.NoError(t, err)
	require.ErrorContains(t, c.err, "limit_exceeded")
	assert.Empty(t, c.read)
}
