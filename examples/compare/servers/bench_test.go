package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// BenchmarkSuccess is what a call costs where nothing fails: the client, the
// session and the server.
func BenchmarkSuccess(b *testing.B) {
	compare(b, mcp.CallToolParams{Name: "refund", Arguments: map[string]any{"order": "ORD-7", "amount": 40}}, false)
}

// BenchmarkFailure is a call that is refused over the limit.
func BenchmarkFailure(b *testing.B) {
	compare(b, mcp.CallToolParams{Name: "refund", Arguments: map[string]any{"order": "ORD-7", "amount": 650}}, true)
}

// compare makes a call in every way, over a pipe in memory, with the same client:
// first in one way after the other, then in turns, for the ratios, so that
// whatever else the machine does falls on all of them. In turns each pays for the
// garbage of all, so that mcp-go, which makes a third of it, is left out there.
// The log of toolerr-go is off, see TestMain, and on in a way of its own.
func compare(b *testing.B, params mcp.CallToolParams, fails bool) {
	b.Helper()
	logging := &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}
	logged := way{"toolerr-go, log on", onGoSDK(func(d *desk) *mcp.Server { return newToolerr(d, logging) })}
	all := append(slices.Clip(ways), logged)
	call := func(b *testing.B, session *mcp.ClientSession) {
		b.Helper()
		own := params // the SDK writes to it
		if res, err := session.CallTool(b.Context(), &own); err != nil || res.IsError != fails {
			b.Fatal(res, err)
		}
	}
	for _, way := range all {
		b.Run(way.name, func(b *testing.B) {
			session := connect(b, way)
			b.ReportAllocs()
			for b.Loop() {
				call(b, session)
			}
		})
	}
	b.Run("in turns", func(b *testing.B) {
		all := slices.DeleteFunc(slices.Clone(all), func(w way) bool { return w.name == "mcp-go" })
		sessions, took := make([]*mcp.ClientSession, len(all)), make([][]time.Duration, len(all))
		for i, way := range all {
			sessions[i] = connect(b, way)
		}
		for b.Loop() {
			for i, session := range sessions {
				start := time.Now()
				call(b, session)
				took[i] = append(took[i], time.Since(start))
			}
		}
		alone := slices.IndexFunc(all, func(w way) bool { return w.name == "go-sdk" })
		b.ReportMetric(0, "ns/op") // of all together, which says nothing
		for i, way := range all {
			unit := strings.NewReplacer(", ", "-", " ", "-").Replace(way.name)
			b.ReportMetric(float64(median(took[i]))/float64(median(took[alone])), unit+"/go-sdk")
		}
	})
}

func median(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)/2]
}

func connect(b *testing.B, way way) *mcp.ClientSession {
	b.Helper()
	d, stop, err := openDesk()
	require.NoError(b, err)
	near, far := net.Pipe()
	ctx, cancel := context.WithCancel(b.Context())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = way.serve(ctx, d, far, far)
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "compare", Version: "v1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: near, Writer: near}, nil)
	require.NoError(b, err)
	b.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-served
		stop()
	})
	return session
}
