package mcpotel

import (
	"context"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// withoutSessions is the first protocol version without sessions.
const withoutSessions = "2026-07-28"

// isStateful reports whether a request belongs to a session of the protocol.
func isStateful(req mcp.Request) bool { return protocolVersionOf(req) < withoutSessions }

// watch records an initialized session's duration when it ends. Stateless servers have no sessions.
func (in *instrument) watch(ctx context.Context, req mcp.Request, res mcp.Result, started time.Time) {
	var wait func() error
	switch session := req.GetSession().(type) {
	case *mcp.ClientSession:
		wait = session.Wait
	case *mcp.ServerSession:
		if extra := req.GetExtra(); extra == nil || extra.Header == nil || session.ID() != "" {
			wait = session.Wait
		}
	}
	initialized, ok := res.(*mcp.InitializeResult)
	if !ok || initialized == nil || wait == nil || !in.sessions.Enabled(ctx) {
		return
	}
	var attributes []attribute.KeyValue
	if slices.Contains(versions, initialized.ProtocolVersion) {
		attributes = append(attributes, protocolVersion.String(initialized.ProtocolVersion))
	}
	for _, a := range slices.Concat(in.network(req), in.address) {
		if a.Key != transportName {
			attributes = append(attributes, a)
		}
	}
	go func() {
		_ = wait() // its error does not distinguish a server that exited from one that was closed
		in.sessions.Record(context.WithoutCancel(ctx), time.Since(started).Seconds(), metric.WithAttributes(attributes...))
	}()
}
