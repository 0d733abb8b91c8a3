package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// stop_instance is the tool to call before terminate_instance. Stopping a stopped instance is a
// success: the caller has what it wants.

func addStopInstance(server *mcp.Server, f *fleet) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "stop_instance",
		Description: "Stop an instance. Its disk is kept.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, f.stop)
}

func (f *fleet) stop(
	_ context.Context, _ *mcp.CallToolRequest, in instanceIn,
) (*mcp.CallToolResult, instanceOut, error) {
	out, err := f.change(in.InstanceID, stopped, func(from string) error {
		if from != terminated {
			return nil
		}
		// This is not FailedPrecondition, because no other call would make this one possible.
		return toolerr.Business(fmt.Sprintf("Instance %s is terminated, and cannot be brought back.", in.InstanceID)).
			WithCode(toolerr.CodeConflict).
			WithHint("Do not retry: there is nothing left to stop. Go on without this instance, or tell the user that it is " +
				"gone.")
	})
	return nil, out, err
}
