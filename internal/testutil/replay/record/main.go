// Command record calls the tools of an MCP server over stdio, and writes the results in the form
// that package replay reads:
//
//	go run ./record plan.json > testdata/server.json
//
// The plan names the server, its command and the calls. In the environment, in the command and in
// the arguments of calls, {{upstream}} stands for the address of an HTTP server on loopback, which
// gives the answers planned for a call. Calls that succeed or get no result are left out. Add the
// kinds of the failures by hand.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
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

// callLimit is how long a server may take to answer a call. The servers' own limits are shorter.
const callLimit = 60 * time.Second

// A plan describes one run of one server.
type plan struct {
	Server   json.RawMessage   `json:"server"` // name, version and language; copied
	Command  []string          `json:"command"`
	Env      map[string]string `json:"env"`
	Upstream *replay.Upstream  `json:"upstream"` // its answers while the server starts
	Calls    []call            `json:"calls"`
}

// A call is a planned call and, once it is made, its result.
type call struct {
	ID        string           `json:"id"`
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Provoked  string           `json:"provoked"`
	Upstream  *replay.Upstream `json:"upstream,omitempty"`
	Result    json.RawMessage  `json:"result,omitempty"`
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
	if err := run(context.Background(), os.Args[1], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string, out io.Writer) error {
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
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current.Load().ServeHTTP(w, r)
	}))
	defer service.Close()
	session, err := connect(ctx, &p, service.URL)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	rec := recording{Server: p.Server}
	if rec.Tools, err = toolsOf(ctx, session, p.Calls); err != nil {
		return err
	}
	for _, c := range p.Calls {
		c.Arguments = json.RawMessage(strings.ReplaceAll(string(c.Arguments), "{{upstream}}", service.URL))
		current.Store(c.Upstream)
		if c.Result, err = failure(ctx, session, &c); err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", c.ID, err)
			continue
		}
		rec.Calls = append(rec.Calls, c)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(rec)
}

// connect starts the server of a plan, and connects to it.
func connect(ctx context.Context, p *plan, upstream string) (*mcp.ClientSession, error) {
	fill := strings.NewReplacer("{{upstream}}", upstream).Replace
	if len(p.Command) == 0 {
		return nil, errors.New("the plan has no command")
	}
	cmd := exec.CommandContext(ctx, fill(p.Command[0]))
	for _, arg := range p.Command[1:] {
		cmd.Args = append(cmd.Args, fill(arg))
	}
	cmd.Env = os.Environ()
	for name, value := range p.Env {
		cmd.Env = append(cmd.Env, name+"="+fill(value))
	}
	cmd.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "record", Version: "v1"}, nil)
	return client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
}

// toolsOf returns the tools that are called.
func toolsOf(ctx context.Context, session *mcp.ClientSession, calls []call) (tools []tool, err error) {
	called := map[string]bool{}
	for _, c := range calls {
		called[c.Tool] = true
	}
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if called[t.Name] {
			tools = append(tools, tool{t.Name, t.InputSchema, t.Annotations})
		}
	}
	return tools, nil
}

// failure calls a tool and returns its failed result as JSON, or an error if there is none.
func failure(ctx context.Context, session *mcp.ClientSession, c *call) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.Tool, Arguments: c.Arguments})
	if err != nil {
		return nil, err
	}
	if !res.IsError {
		return nil, errors.New("it succeeded")
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = enc.Encode(res)
	return json.RawMessage(strings.TrimSpace(b.String())), err
}
