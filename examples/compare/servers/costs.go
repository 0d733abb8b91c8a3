package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/compare/internal/measure"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// A costly is a call to measure.
type costly struct {
	name      string
	tool      string
	arguments map[string]any
	fails     bool
	trace     string // what the error's text ends with
}

// measured holds the columns of the cost table. The unforeseen error has a driver's text of about
// 90 bytes, and then the trace if there is one.
var measured = []costly{
	{"success", "refund", map[string]any{"order": "ORD-7", "amount": 40}, false, ""},
	{"failure with words of its author", "refund", map[string]any{"order": "ORD-7", "amount": 650}, true, ""},
	{"unforeseen, 90 B", "add_note", map[string]any{"order": "ORD-7"}, true, ""},
	{"unforeseen, 1 KB", "add_note", map[string]any{"order": "ORD-7"}, true, traceOf(1 << 10)},
	{"unforeseen, 4 KB", "add_note", map[string]any{"order": "ORD-7"}, true, traceOf(4 << 10)},
}

// traceOf returns a trace of size bytes.
func traceOf(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\n  at ledger.(*Pool).acquire (pool_%d.go:%d): the connection was returned in an unexpected state",
			i, 100+7*i)
	}
	return b.String()[:size]
}

// logging is toolerr-go with a log record for each failed call, which is formatted as text and
// discarded. The others log nothing.
var logging = way{"toolerr-go, log on", onGoSDK(func(d *desk) *mcp.Server {
	return newToolerr(d, &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
})}

// ways connects an in-memory client to a server built in each way. The client, the session and the
// server are part of each call.
func (c costly) ways(ctx context.Context) (all []measure.Way, stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, stop := range stops {
			stop()
		}
	}
	for _, w := range append(slices.Clip(ways), logging) {
		session, end, err := connect(ctx, w, c.trace)
		if err != nil {
			stop()
			return nil, nil, fmt.Errorf("%s: %w", w.name, err)
		}
		stops = append(stops, end)
		all = append(all, measure.Way{Name: w.name, Call: func() error {
			res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
			if err != nil || res.IsError != c.fails {
				return fmt.Errorf("%s: %s: %+v, %w", w.name, c.name, res, err)
			}
			return nil
		}})
	}
	return all, stop, nil
}

func connect(ctx context.Context, w way, trace string) (*mcp.ClientSession, func(), error) {
	d, closeDesk, err := openDesk()
	if err != nil {
		return nil, nil, err
	}
	d.trace = trace
	ctx, cancel := context.WithCancel(ctx)
	near, far := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = w.serve(ctx, d, far, far)
	}()
	stop := func() {
		cancel()
		_ = near.Close()
		<-served
		closeDesk()
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "compare", Version: "v1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: near, Writer: near}, nil)
	if err != nil {
		stop()
		return nil, nil, err
	}
	return session, func() {
		_ = session.Close()
		stop()
	}, nil
}

// costs measures all ways, and compares each with the SDK alone.
func costs(ctx context.Context, rounds int, each time.Duration) (measure.Table, error) {
	table := measure.Table{{"CPU TIME"}}
	for _, c := range measured {
		all, stop, err := c.ways(ctx)
		if err != nil {
			return nil, err
		}
		seen, err := measure.Interleaved(all, rounds, each)
		stop()
		if err != nil {
			return nil, err
		}
		table[0] = append(table[0], c.name)
		alone := seen[slices.IndexFunc(seen, func(c measure.Cost) bool { return c.Way == "go-sdk" })]
		for i, cost := range seen {
			if len(table) == i+1 {
				table = append(table, []string{cost.Way})
			}
			table[i+1] = append(table[i+1],
				fmt.Sprintf("%.0f us (%.2f)", float64(cost.CPU)/float64(time.Microsecond), cost.Ratio(alone)))
		}
	}
	return table, nil
}

const costLegend = `
CPU TIME   Of the process, client included, for one call over an in-memory pipe: the median of the
           rounds, in which all servers take turns; in brackets the ratio to the SDK alone.
`
