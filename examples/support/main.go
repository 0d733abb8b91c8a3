// Support is a support agent and its MCP server. The tools fail in many ways, and the
// agent acts on each failure.
//
//	go run ./examples/support
//
// The program starts its own MCP server as a child process and talks to it over stdio. The server
// uses an order service and a payment gateway, real HTTP services on loopback that misbehave on
// command. In internal/desk, server.go contains the tools and scenarios.go the agent.
//
// The server alone, for an MCP client of your own, with tools that fail on demand:
//
//	go run ./examples/support -http 127.0.0.1:8080 -fault lookup_order=timeout:2
package main

import (
	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/examples/support/internal/desk"
)

func main() { harness.Main(desk.Program{}.Run) }
