// Command record calls the tools of an MCP server over stdio, and writes what it
// answered as recordings for package replay:
//
//	go run ./record plan.json > calls.json
//
// The plan names the server's command and the calls. In its environment, command
// and arguments {{upstream}} stands for the address of an HTTP server on loopback
// that gives the answer that a call's plan says.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/replay"
)

// callLimit is how long a server may take for a call. Chosen: longer than the limits
// that servers set themselves.
const callLimit = 60 * time.Second

// A plan is what one run of a server is asked.
type plan struct {
	Server   json.RawMessage   `json:"server"` // copied as it is
	Command  []string          `json:"command"`
	Env      map[string]string `json:"env"`
	Dir      string            `json:"dir"`
	Upstream *replay.Upstream  `json:"upstream"` // its answer while the server starts
	Calls    []call            `json:"calls"`
}

// A call is one call and, once it was made, its answer.
type call struct {
	ID        string           `json:"id"`
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Provoked  string           `json:"provoked"`
	Upstream  *replay.Upstream `json:"upstream,omitempty"`
	Result    json.RawMessage  `json:"result,omitempty"`
	Error     string           `json:"error,omitempty"` // a protocol error
	Want      json.RawMessage  `json:"want,omitempty"`
}

type tool struct {
	Name        string               `json:"name"`
	InputSchema any                  `json:"inputSchema"`
	Annotations *mcp.ToolAnnotations `json:"annotations,omitempty"`
}

type recording struct {
	Server json.RawMessage `json:"server"`
	Tools  []tool          `json:"tools"`
	Calls  []call          `json:"calls"`
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: record PLAN, a file of JSON")
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(path string, out io.Writer) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var p plan
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	var current atomic.Pointer[replay.Upstream]
	current.Store(p.Upstream)
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(os.Stderr, "upstream:", r.Method, r.URL)
		current.Load().ServeHTTP(w, r)
	}))
	if address := os.Getenv("RECORD_UPSTREAM"); address != "" {
		if service.Listener, err = net.Listen("tcp", address); err != nil {
			return err
		}
	}
	service.Start()
	defer service.Close()
	fill := func(s string) string { return strings.ReplaceAll(s, "{{upstream}}", service.URL) }
	ctx := context.Background()
	cmd := exec.Command(fill(p.Command[0]))
	for _, a := range p.Command[1:] {
		cmd.Args = append(cmd.Args, fill(a))
	}
	cmd.Dir = p.Dir
	cmd.Env = os.Environ()
	for k, v := range p.Env {
		cmd.Env = append(cmd.Env, k+"="+fill(v))
	}
	cmd.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "record", Version: "v1"}, nil).
		Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	rec := recording{Server: p.Server}
	used := map[string]bool{}
	for _, c := range p.Calls {
		used[c.Tool] = true
	}
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		if used[t.Name] || os.Getenv("RECORD_ALL") != "" {
			rec.Tools = append(rec.Tools, tool{t.Name, t.InputSchema, t.Annotations})
		}
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		c.Arguments = json.RawMessage(fill(string(c.Arguments)))
		current.Store(c.Upstream)
		limited, cancel := context.WithTimeout(ctx, callLimit)
		res, err := session.CallTool(limited, &mcp.CallToolParams{Name: c.Tool, Arguments: c.Arguments})
		cancel()
		if err != nil {
			c.Error = err.Error()
		} else if c.Result, err = encode(res); err != nil {
			return err
		}
	}
	rec.Calls = p.Calls
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(rec)
}

// encode writes a value without HTML escaping.
func encode(v any) (json.RawMessage, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return json.RawMessage(strings.TrimSpace(b.String())), err
}
