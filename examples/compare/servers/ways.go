package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A way builds a server for the desk.
type way struct {
	name string
	// serve serves on r and w until r ends.
	serve func(ctx context.Context, d *desk, r io.ReadCloser, w io.WriteCloser) error
}

// ways holds the ways in the order of the table.
var ways = []way{
	{"toolerr-go", onGoSDK(func(d *desk) *mcp.Server { return newToolerr(d, nil) })},
	{"go-sdk", onGoSDK(newGoSDK)},
	{"mcp-go", onMCPGo(newMCPGo)},
	{"by hand", onGoSDK(newByHand)},
	{"by hand, guarded", onGoSDK(newGuarded)},
}

func onGoSDK(open func(*desk) *mcp.Server) func(context.Context, *desk, io.ReadCloser, io.WriteCloser) error {
	return func(ctx context.Context, d *desk, r io.ReadCloser, w io.WriteCloser) error {
		return open(d).Run(ctx, &mcp.IOTransport{Reader: r, Writer: w})
	}
}

func onMCPGo(open func(*desk) *server.MCPServer) func(context.Context, *desk, io.ReadCloser, io.WriteCloser) error {
	return func(ctx context.Context, d *desk, r io.ReadCloser, w io.WriteCloser) error {
		return server.NewStdioServer(open(d)).Listen(ctx, r, w)
	}
}

var errNoWay = errors.New("unknown way to make a server")

// serveAs runs the server of the named way.
func serveAs(ctx context.Context, name string, r io.ReadCloser, w io.WriteCloser) error {
	for _, way := range ways {
		if way.name == name {
			d, stop, err := openDesk()
			if err != nil {
				return err
			}
			defer stop()
			return way.serve(ctx, d, r, w)
		}
	}
	return fmt.Errorf("%w: %q", errNoWay, name)
}
