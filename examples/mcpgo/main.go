// Mcpgo is a server on mcp-go with structured failures. To do the same, copy one file,
// structured.go. The program prints the answers of its tools without that file, with it, and with
// the texts that the file can reveal and read:
//
//	go run . [-wire]
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/mark3labs/mcp-go/server/servertest"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type orderIn struct {
	Order string `json:"order"`
	Days  int    `json:"days,omitempty"`
	Key   string `json:"idempotency_key,omitempty"`
}

type orderOut struct {
	Status string `json:"status"`
}

// failures maps tools to typed handlers.
var failures = map[string]func(orderIn) (orderOut, error){
	"find": func(orderIn) (orderOut, error) { return orderOut{Status: "paid"}, nil },
	"over_limit": func(orderIn) (orderOut, error) {
		return orderOut{}, toolerr.LimitExceeded("A refund of $650 exceeds the limit of $500.",
			"A colleague has to approve this refund.")
	},
	"down": func(orderIn) (orderOut, error) {
		return orderOut{}, &url.Error{
			Op: "Get", URL: "http://10.0.0.5/orders?api_key=sk_live_51H",
			Err: os.ErrDeadlineExceeded,
		}
	},
	"unclassified": func(in orderIn) (orderOut, error) {
		return orderOut{}, fmt.Errorf("row of %s: %w", in.Order, errors.New("hunter2 stands in row 7"))
	},
	"panics": func(orderIn) (orderOut, error) { panic("index out of range [7] with length 3") },
}

// results maps tools to what mcp-go's own kind of handler returns.
var results = map[string]*mcp.CallToolResult{
	"said": {IsError: true, Content: []mcp.Content{
		mcp.NewTextContent("ORD-7 was refunded on 3 March."),
		mcp.NewImageContent("iVBORw0KGgo=", "image/png"),
	}},
	"busy": mcp.NewToolResultError("rate limit exceeded, retry after 7 seconds"),
}

func isReadOnly(tool string) bool { return tool == "find" || tool == "down" || tool == "busy" }

// search finds no orders.
func search(context.Context, *sdk.CallToolRequest, orderIn) (*sdk.CallToolResult, orderOut, error) {
	return result.Empty("There are no orders of this customer.", nil), orderOut{}, nil
}

// newServer returns a server on mcp-go; if o is nil, it does not use structured and typed.
func newServer(o *options) *server.MCPServer {
	opts := []server.ServerOption{server.WithInputSchemaValidation()}
	wrap := mcp.NewStructuredToolHandler[orderIn, orderOut]
	if o != nil {
		opts, wrap = structured(o, opts...), typed[orderIn, orderOut]
	} else {
		opts = append(opts, server.WithRecovery())
	}
	s := server.NewMCPServer("orders", "v1", opts...)
	for name, fail := range failures {
		tool := mcp.NewTool(name, mcp.WithInputSchema[orderIn](), mcp.WithReadOnlyHintAnnotation(isReadOnly(name)))
		s.AddTool(tool, wrap(func(
			_ context.Context, _ mcp.CallToolRequest, in orderIn,
		) (orderOut, error) {
			return fail(in)
		}))
	}
	for name, res := range results {
		tool := mcp.NewTool(name, mcp.WithReadOnlyHintAnnotation(isReadOnly(name)))
		s.AddTool(tool, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			own := *res // mcp-go writes to it
			return &own, nil
		})
	}
	var refunds atomic.Int32
	refund := func(context.Context, *sdk.CallToolRequest, orderIn) (*sdk.CallToolResult, orderOut, error) {
		return nil, orderOut{Status: fmt.Sprintf("refund %d", refunds.Add(1))}, nil
	}
	s.AddTool(mcp.NewTool("search", mcp.WithInputSchema[orderIn]()), official(search))
	s.AddTool(mcp.NewTool("refund", mcp.WithInputSchema[orderIn]()), official(idempotency.Handler(nil, refund)))
	return s
}

var (
	order  = map[string]any{"order": "ORD-7"}
	repeat = map[string]any{"order": "ORD-7", "idempotency_key": "k1"}
)

// calls holds the calls to make, in order.
var calls = []struct {
	tool      string
	arguments map[string]any
}{
	{"find", order},
	{"find", map[string]any{"order": "ORD-7", "days": "thirty"}},
	{"find", nil},
	{"over_limit", order},
	{"down", order},
	{"unclassified", order},
	{"panics", order},
	{"said", nil},
	{"busy", nil},
	{"search", order},
	{"refund", repeat},
	{"refund", repeat},
}

func main() { harness.Main(run) }

// run runs the program without global state. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return harness.RunTranscript(ctx, "mcpgo", args, stdout, stderr, show)
}

// connect returns mcp-go's client, with a session on the server over HTTP. The server ends with
// ctx.
func connect(ctx context.Context, s *server.MCPServer) (*client.Client, error) {
	front := servertest.NewTestStreamableHTTPServer(s)
	context.AfterFunc(ctx, front.Close)
	session, err := client.NewStreamableHttpClient(front.URL)
	if err == nil {
		// with sessions
		_, err = session.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: "2025-06-18"}})
	}
	return session, err
}

// show makes each call on three servers, and prints the answers.
func show(ctx context.Context, print *harness.Transcript) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	quiet := result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}
	shown := &options{MiddlewareOptions: quiet, FromText: true}
	shown.Reveal = result.RevealAll
	names, sessions := []string{"without", "with", "revealed"}, [3]*client.Client{}
	for i, o := range []*options{nil, {MiddlewareOptions: quiet}, shown} {
		var err error
		if sessions[i], err = connect(ctx, newServer(o)); err != nil {
			return err
		}
	}
	for i, c := range calls {
		print.Title(i+1, c.tool+" "+harness.Compact(c.arguments))
		for j, session := range sessions {
			res, err := session.CallTool(ctx,
				mcp.CallToolRequest{Params: mcp.CallToolParams{Name: c.tool, Arguments: c.arguments}})
			if err != nil {
				print.Answer(names[j], "protocol error: "+err.Error())
				continue
			}
			for _, block := range res.Content {
				if text, ok := block.(mcp.TextContent); ok {
					print.Answer(names[j], text.Text)
				} else {
					print.Line("and", fmt.Sprintf("%T", block))
				}
			}
		}
	}
	return nil
}
