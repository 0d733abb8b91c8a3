package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// terminate_instance: a call that comes too early. The failure names the tool to call first, and
// the argument to call it with.

func addTerminateInstance(server *mcp.Server, f *fleet) {
	no, yes := false, true
	result.AddTool(server, &mcp.Tool{
		Name:        "terminate_instance",
		Description: "Delete an instance for good, with its disk. It has to be stopped.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, IdempotentHint: true, OpenWorldHint: &no},
	}, f.terminate)
}

func (f *fleet) terminate(
	_ context.Context, _ *mcp.CallToolRequest, in instanceIn,
) (*mcp.CallToolResult, instanceOut, error) {
	out, err := f.change(in.InstanceID, terminated, func(from string) error {
		if from != running {
			return nil
		}
		return toolerr.FailedPrecondition(
			fmt.Sprintf("Instance %s is running, and only a stopped instance can be terminated.", in.InstanceID),
			"stop_instance").
			WithHint(fmt.Sprintf("Call stop_instance with instance_id %s first, then call terminate_instance again.",
				in.InstanceID)).
			WithDetails(map[string]any{"state": from, "first": "stop_instance"})
	})
	return nil, out, err
}
