// Adopt runs three agents by other authors, with and without this module:
//
//	go run . [-wire]
//
// They are Google's adk-go, eino's ReAct agent, and the tool runner of anthropic-sdk-go, all
// unchanged. Each is tried in seven situations, with one server built on the MCP SDK alone and one
// on this module. Each server runs in its own process, which some failures end. A scripted model,
// in model.go, reads what the agent shows it. A ledger, which outlives the server, records what it
// received and did.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// A subject is a library's agent, without and with this module.
type subject struct {
	name           string
	alone, adopted func(context.Context, *script, *program) error
}

var agents = []subject{
	{"adk-go: mcptoolset, with retry.Middleware", adkAlone, adkAdopted},
	{"eino: officialmcp and its ReAct agent, with Client.AsSession", einoAlone, einoAdopted},
	{"anthropic-sdk-go: its tool runner, with Client.AsSession", anthropicAlone, anthropicAdopted},
}

var servers = []string{serverAlone, serverAdopted}

func main() {
	if name := os.Getenv(envServer); name != "" {
		os.Exit(serveChild(name))
	}
	harness.Main(run)
}

// run runs the program without global state. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return harness.RunTranscript(ctx, "adopt", args, stdout, stderr, show)
}

// A cell holds an agent's two conversations in one situation with one server.
type cell struct{ without, with conversation }

// all runs every agent in every situation on every server, four conversations at a time. The cells
// are ordered by agent, server and situation.
func all(ctx context.Context, folder string) ([]cell, error) {
	cells := make([]cell, len(agents)*len(servers)*len(situations))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i := range cells {
		a := agents[i/len(situations)/len(servers)]
		server, s := servers[i/len(situations)%len(servers)], situations[i%len(situations)]
		path := filepath.Join(folder, fmt.Sprint(i))
		group.Go(func() (err error) {
			cells[i].without, err = converse(ctx, a.alone, server, s, ledger(path+"-without"))
			return err
		})
		group.Go(func() (err error) {
			cells[i].with, err = converse(ctx, a.adopted, server, s, ledger(path+"-with"))
			return err
		})
	}
	return cells, group.Wait()
}

// show runs all agents in all situations, and prints the conversations.
func show(ctx context.Context, print *harness.Transcript) error {
	folder, err := os.MkdirTemp("", "adopt")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	cells, err := all(ctx, folder)
	if err != nil {
		return err
	}
	return write(print, cells)
}

// write prints what the agents read, did and said, and the totals.
func write(print *harness.Transcript, cells []cell) error {
	table := new(strings.Builder)
	columns := tabwriter.NewWriter(table, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(columns, "\tanswered\tcalls\tdone twice")
	for _, a := range agents {
		_, _ = fmt.Fprintf(print, "\n== %s\n", a.name)
		for _, server := range servers {
			block := cells[:len(situations)]
			cells = cells[len(situations):]
			for i, c := range block {
				print.Title(i+1, fmt.Sprintf("%s, server: %s", c.with.name, server))
				print.Line("happens", c.with.happens)
				print.Line("call", c.with.tool+" "+c.with.raw())
				c.without.show(print, "without")
				c.with.show(print, "with")
			}
			name, _, _ := strings.Cut(a.name, ":")
			row(columns, name+", server: "+server+", without", block, func(c cell) conversation { return c.without })
			row(columns, name+", server: "+server+", with", block, func(c cell) conversation { return c.with })
		}
	}
	_ = columns.Flush()
	_, err := fmt.Fprintf(print, "\n%s", table)
	return err
}

func (c conversation) show(print *harness.Transcript, word string) {
	done := strings.Join(c.done, ", ")
	if n := twice(c.done); n > 0 {
		done += fmt.Sprintf("; done twice: %d", n)
	}
	print.Line(word, fmt.Sprintf("calls that reached the server: %d; ledger: %s", c.calls, cmp.Or(done, "nothing done")))
	for _, text := range c.read {
		head, members := harness.Layout(text)
		for _, m := range members {
			if m.Name == "message" {
				head += ": " + m.Value
			}
		}
		print.Line("", "reads "+head)
		if print.Wire {
			print.Line("wire", text)
		}
	}
	print.Line("", "says  "+c.end())
}

// row prints the totals of a block of cells.
func row(w io.Writer, name string, block []cell, of func(cell) conversation) {
	answered, calls, again := 0, 0, 0
	for _, cell := range block {
		c := of(cell)
		if c.err == nil && !c.failed {
			answered++
		}
		calls += c.calls
		again += twice(c.done)
	}
	_, _ = fmt.Fprintf(w, "%s\t%d of %d\t%d\t%d\n", name, answered, len(block), calls, again)
}
