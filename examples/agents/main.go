// Agents runs two agent loops, Anthropic's tool runner and a loop on OpenAI's SDK, on the same
// failing tools, with and without this module:
//
//	go run . [-wire]
//
// The code of the loops is the same with and without it. The module is used in two places: in the
// client's sending middleware (connect, below) and in the server (desk.go). A fake of both models'
// APIs, on loopback, requests the calls and records the text that a model reads.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

const (
	task     = "Look up CUS-10001 and the orders, and refund ORD-6 and ORD-7."
	maxTurns = 20
)

// A loop runs an agent on a session, with a model at a URL.
type loop struct {
	name string
	run  func(ctx context.Context, session *mcp.ClientSession, url string) error
}

var loops = []loop{
	{"anthropic-sdk-go's tool runner", func(ctx context.Context, session *mcp.ClientSession, url string) error {
		return runAnthropic(ctx, session, url)
	}},
	{"a loop on openai-go", runOpenAI},
}

func main() { harness.Main(run) }

// run runs the program without global state. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return harness.RunTranscript(ctx, "agents", args, stdout, stderr, show)
}

// show prints what the model reads in each loop, with and without this module, and the counts of
// requests, failures, leaked keys and refunds.
func show(ctx context.Context, print *harness.Transcript) error {
	table := new(strings.Builder)
	columns := tabwriter.NewWriter(table, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(columns, "\trequests to the API\tfailures read\tkeys read\trefunds of ORD-7")
	for _, l := range loops {
		without, err := converse(ctx, l, withSDKAlone)
		if err != nil {
			return err
		}
		with, err := converse(ctx, l, withToolerr,
			retry.Middleware(retry.Policy{Logger: slog.New(slog.DiscardHandler)}, retry.SafetyOf))
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(print, "== %s\n", l.name)
		for i, s := range script {
			print.Title(i+1, s.tool+" "+harness.Compact(s.arguments))
			for _, read := range []struct {
				word  string
				texts []string
			}{{"without", without.readings(i)}, {"with", with.readings(i)}} {
				for _, text := range read.texts {
					print.Answer(read.word, text)
				}
			}
		}
		_, _ = fmt.Fprintln(print)
		without.row(columns, l.name+", without")
		with.row(columns, l.name+", with")
	}
	_ = columns.Flush()
	_, err := io.WriteString(print, table.String())
	return err
}

// connect connects a client to a server. The middleware is all that an agent has to add.
func connect(ctx context.Context, server *mcp.Server, sending ...mcp.Middleware) (*mcp.ClientSession, error) {
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	client.AddSendingMiddleware(sending...)
	return client.Connect(ctx, clientSide, nil)
}

// A conversation holds the texts that the model read, and the refunds that were made.
type conversation struct {
	*model

	desk *desk
}

// converse runs a loop to its end.
func converse(
	ctx context.Context, l loop, serve func(*desk) *mcp.Server, sending ...mcp.Middleware,
) (conversation, error) {
	c := conversation{new(model), &desk{keys: map[string]bool{}}}
	session, err := connect(ctx, serve(c.desk), sending...)
	if err != nil {
		return c, err
	}
	defer func() { _ = session.Close() }()
	url, stop, err := c.serve()
	if err != nil {
		return c, err
	}
	defer stop()
	return c, l.run(ctx, session, url)
}
