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

// A Role configures a child process.
type Role struct {
	Book  string `json:"book"` // URL of the book
	Plain bool   `json:"plain"`
	HTTP  bool   `json:"http"` // HTTP instead of stdio
}

// Command returns a command that runs this program again, with the role for [ServeRole].
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

// ServeRole reports whether this process has been given a role. If so, it first serves in that role
// until stdin ends. A server over HTTP writes its address to stdout.
func ServeRole() bool {
	raw := os.Getenv(beServer)
	if raw == "" {
		return false
	}
	var r Role
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		panic(err)
	}
	s := &Server{
		Book: &Remote{URL: r.Book, Client: Loopback()}, Plain: r.Plain,
		Store: &RemoteStore{URL: r.Book + "/store", Client: Loopback()},
	}
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
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent exits
	return true
}

// Handler returns an HTTP handler for an MCP server.
func Handler(server *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Logger: silent})
}
