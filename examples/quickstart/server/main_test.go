package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestServer(t *testing.T) {
	server := exec.Command("go", "run", ".")
	server.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	resulttest.TestServer(t, session, &resulttest.Options{All: true, Cases: []resulttest.Case{
		{Name: "over the limit", Tool: "process_refund", Arguments: refund{OrderID: "ORD-10001", Amount: 650}, Category: toolerr.CategoryBusiness},
		{Name: "gateway is down", Tool: "process_refund", Arguments: refund{OrderID: "ORD-10001", Amount: 20}, Code: toolerr.CodeUnavailable},
	}})
}
