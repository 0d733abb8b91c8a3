// Mcpgo is a server on mcp-go with structured failures. All that it takes is one file to
// copy, structured.go. The program prints the answers of its tools without that file and
// with it:
//
//	go run . [-wire]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type orderIn struct {
	Order string `json:"order"`
	Days  int    `json:"days,omitempty"`
}

type orderOut struct {
	Status string `json:"status"`
}

// failures are the handlers, by tool.
var failures = map[string]func(orderIn) (orderOut, error){
	"find": func(orderIn) (orderOut, error) { return orderOut{Status: "paid"}, nil },
	"over_limit": func(orderIn) (orderOut, error) {
		return orderOut{}, toolerr.LimitExceeded("A refund of $650 exceeds the limit of $500.", "A colleague has to approve this refund.")
	},
	"down": func(orderIn) (orderOut, error) {
		return orderOut{}, &url.Error{Op: "Get", URL: "http://10.0.0.5/orders?api_key=sk_live_51H", Err: os.ErrDeadlineExceeded}
	},
	"unclassified": func(in orderIn) (orderOut, error) {
		return orderOut{}, fmt.Errorf("row of %s: %w", in.Order, errors.New("hunter2 stands in row 7"))
	},
	"panics": func(orderIn) (orderOut, error) { panic("index out of range [7] with length 3") },
}

// newServer returns a server on mcp-go, with structured.go or without it.
func newServer(logger *slog.Logger, with bool) *server.MCPServer {
	opts := []server.ServerOption{server.WithRecovery(), server.WithInputSchemaValidation(), server.WithOutputSchemaValidation()}
	if with {
		opts = append(opts, structured(logger, nil)...)
	}
	s := server.NewMCPServer("orders", "v1", opts...)
	for name, fail := range failures {
		handler := typed(func(_ context.Context, _ mcp.CallToolRequest, in orderIn) (orderOut, error) { return fail(in) })
		if !with {
			handler = mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in orderIn) (orderOut, error) { return fail(in) })
		}
		s.AddTool(mcp.NewTool(name, mcp.WithInputSchema[orderIn](), mcp.WithReadOnlyHintAnnotation(name == "down" || name == "find")), handler)
	}
	s.AddTool(mcp.NewTool("words"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("the moon is full"), nil
	})
	s.AddTool(mcp.NewTool("nothing"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	s.AddTool(mcp.NewTool("bad_output", mcp.WithOutputSchema[orderOut]()), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructuredOnly(map[string]any{"status": 7}), nil
	})
	return s
}

// A call is one call of a tool.
type call struct {
	tool      string
	arguments string
}

var calls = []call{
	{"find", `{"order":"ORD-7"}`},
	{"find", `{"order":"ORD-7","days":"thirty"}`},
	{"find", `{}`},
	{"over_limit", `{"order":"ORD-7"}`},
	{"down", `{"order":"ORD-7"}`},
	{"unclassified", `{"order":"ORD-7"}`},
	{"panics", `{"order":"ORD-7"}`},
	{"words", `{}`},
	{"nothing", `{}`},
	{"bad_output", `{}`},
}

// text returns the text of a call's answer, as a client reads it.
func (c call) text(ctx context.Context, s *server.MCPServer) string {
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.tool, c.arguments)
	raw, err := json.Marshal(s.HandleMessage(ctx, json.RawMessage(request)))
	if err != nil {
		return err.Error()
	}
	var response struct {
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
		Error *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(raw, &response); err != nil {
		return err.Error()
	}
	switch {
	case response.Error != nil:
		return fmt.Sprintf("protocol error %d: %s", response.Error.Code, response.Error.Message)
	case len(response.Result.Content) == 0:
		return "no text"
	}
	return response.Result.Content[0].Text
}

func main() { harness.Main(run) }

// run is main with its surroundings as arguments. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return harness.RunTranscript(ctx, "mcpgo", args, stdout, stderr, show)
}

// show calls each tool of a server without structured failures, and of one with them.
func show(ctx context.Context, print *harness.Transcript) error {
	without, with := newServer(nil, false), newServer(slog.New(slog.DiscardHandler), true)
	for i, c := range calls {
		print.Title(i+1, c.tool+" "+c.arguments)
		print.Answer("without", c.text(ctx, without))
		print.Answer("with", c.text(ctx, with))
	}
	return nil
}
