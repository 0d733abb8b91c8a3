//go:build unix

package retry_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// beEndured has the URL of the book and the version of the child.
const beEndured = "RETRY_TEST_BE_ENDURED"

// serveEndured runs a server over HTTP that books in the parent's book, and throttles. Each
// version has other tools.
func serveEndured(role string) {
	book, version, _ := strings.Cut(role, " ")
	server := mcp.NewServer(&mcp.Implementation{Name: "endured", Version: version}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	var calls atomic.Int64
	handle := func(ctx context.Context, _ *mcp.CallToolRequest, in endured) (*mcp.CallToolResult, any, error) {
		if calls.Add(1)%50 == 0 {
			return nil, nil, toolerr.RateLimited("Too many.", 100*time.Millisecond).WithEffect(toolerr.EffectNone)
		}
		if in.Order == "" {
			return nil, map[string]string{"state": "fine"}, nil
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, book+"?"+url.Values{"order": {in.Order}, "key": {in.Key}}.Encode(), nil)
		if err != nil {
			return nil, nil, err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, nil, err
		}
		return nil, map[string]string{"receipt": in.Order}, resp.Body.Close()
	}
	result.AddTool(server, &mcp.Tool{Name: "charge"}, handle)
	result.AddTool(server, &mcp.Tool{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, handle)
	result.AddTool(server, &mcp.Tool{Name: "only-in-" + version}, handle)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent exits
		os.Exit(0)
	}()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Logger: slog.New(slog.DiscardHandler)})
	panic(http.Serve(listener, handler)) //nolint:gosec // on loopback, for a test
}

type endured struct {
	Order string `json:"order,omitempty"`
	Key   string `json:"idempotency_key,omitempty"`
}

// An enduredChild is the process of such a server.
type enduredChild struct {
	command *exec.Cmd
	stdin   io.Closer
	host    string
}

func startEndured(book, version string) (*enduredChild, error) {
	command := exec.Command(os.Args[0]) //nolint:gosec // the test itself
	command.Env = append(os.Environ(), beEndured+"="+book+" "+version)
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	return &enduredChild{command, stdin, strings.TrimSpace(line)}, err
}

func (c *enduredChild) kill() {
	_ = c.command.Process.Kill()
	_ = c.stdin.Close()
	_ = c.command.Wait()
}
