package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const beServer = "LEDGER_TEST_BE_A_SERVER"

// A Role is what a child process is to be.
type Role struct {
	Book  string `json:"book"` // its URL
	Plain bool   `json:"plain"`
	HTTP  bool   `json:"http"` // and not stdio
}

// Command returns a command that runs this program again in a role: [Play] does it.
func (r Role) Command() (*exec.Cmd, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), beServer+"="+string(raw))
	return command, nil
}

// Play plays the role that this process was started in until its input ends, and
// reports whether there was one. A server over HTTP writes its address to stdout.
func Play() bool {
	raw := os.Getenv(beServer)
	if raw == "" {
		return false
	}
	var r Role
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		panic(err)
	}
	s := &Server{Book: &Remote{URL: r.Book, Client: Loopback()}, Plain: r.Plain, Store: &RemoteStore{URL: r.Book + "/store", Client: Loopback()}}
	if !r.HTTP {
		_ = s.MCP().Run(context.Background(), &mcp.StdioTransport{})
		return true
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	server := s.MCP()
	go func() { panic(http.Serve(listener, Handler(server))) }()
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent has gone
	return true
}

// Handler returns the handler that serves a server over HTTP.
func Handler(server *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Logger: silent})
}
