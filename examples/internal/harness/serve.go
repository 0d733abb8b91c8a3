package harness

import (
	"context"
	"errors"
	"flag"
	"io"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serving selects whether a program is an MCP server, over stdio (-serve) or HTTP (-http). The zero
// value means that it is not.
type Serving struct {
	stdio bool
	addr  string
}

// ParseFlags is [ParseFlagsOnly] with the additional flags -serve and -http.
func (s *Serving) ParseFlags(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	flags.BoolVar(&s.stdio, "serve", false, "be the MCP server, on stdin and stdout")
	flags.Func("http", "be the MCP server, over streamable HTTP on `ADDR`, such as 127.0.0.1:8080\n"+
		"(without a host it is 127.0.0.1, with port 0 any free one), at /mcp;\n"+
		"beyond loopback it is open to all who can reach it, and to DNS rebinding", s.setAddr)
	err := ParseFlagsOnly(flags, args, synopsis, stdout)
	if err == nil && s.stdio && s.addr != "" {
		err = errors.New("-serve and -http do not go together")
	}
	return err
}

// setAddr sets the address of -http. The server has no authentication, so its default
// host is loopback.
func (s *Serving) setAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return errors.New("want HOST:PORT, such as 127.0.0.1:8080")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	s.addr = net.JoinHostPort(host, port)
	return nil
}

// By names the flags that make a program the server, or returns "" if it is not the server.
func (s *Serving) By() string {
	if s.stdio || s.addr != "" {
		return "-serve or -http"
	}
	return ""
}

// Serve serves MCP over the selected transport until ctx ends, which is not an error, or stdin
// ends.
func (s *Serving) Serve(ctx context.Context, server *mcp.Server, opts HTTPOptions) error {
	if s.addr != "" {
		return serveHTTP(ctx, server, s.addr, opts)
	}
	return ServeStdio(ctx, server)
}

// ServeStdio serves MCP over stdin and stdout until ctx ends, which is not an error, or stdin ends.
func ServeStdio(ctx context.Context, server *mcp.Server) error {
	err := server.Run(ctx, &mcp.StdioTransport{})
	if ctx.Err() != nil {
		return nil //nolint:nilerr // it was interrupted
	}
	return err
}
