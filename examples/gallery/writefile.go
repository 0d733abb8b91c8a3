package main

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// write_file: a folder that a policy closes. The hint keeps a model from trying path after path.

func addWriteFile(server *mcp.Server, w *workspace) {
	no, yes := false, true
	result.AddTool(server, &mcp.Tool{
		Name: "write_file",
		Description: "Write a text file of the workspace, in place of the one that is there. " +
			"Files under infra/ cannot be written.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, IdempotentHint: true, OpenWorldHint: &no},
	}, w.writeFile)
}

type writeIn struct {
	Path    string `json:"path" jsonschema:"the file's path in the workspace, such as docs/notes-2.md"`
	Content string `json:"content" jsonschema:"the whole new content, at most 64 KiB"`
}

type writeOut struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
}

const (
	closedFolder = "infra"
	maxContent   = 64 << 10
)

func (w *workspace) writeFile(
	_ context.Context, _ *mcp.CallToolRequest, in writeIn,
) (*mcp.CallToolResult, writeOut, error) {
	name, err := clean(in.Path)
	if err != nil {
		return nil, writeOut{}, err
	}
	// On some file systems, INFRA and infra are the same folder.
	if folder, _, _ := strings.Cut(name, "/"); strings.EqualFold(folder, closedFolder) {
		return nil, writeOut{}, toolerr.Permission("Writing under infra/ is blocked by the policy of this workspace.").
			WithCode(toolerr.CodePermissionDenied).WithField("path").WithEffect(toolerr.EffectNone).
			WithHint("Do not try another way to change it. If the file serves its purpose elsewhere, write it there; else " +
				"tell the user.").
			WithCustomerMessage("I may not change anything under infra/. One of its maintainers has to make this change.")
	}
	if len(in.Content) > maxContent {
		return nil, writeOut{}, toolerr.Validation(fmt.Sprintf("A file has at most %d bytes, got %d.", maxContent,
			len(in.Content))).
			WithCode(toolerr.CodeOutOfRange).WithField("content").
			WithHint("Write less, or split it into several files.")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	err = w.root.MkdirAll(path.Dir(name), 0o755)
	if err == nil {
		err = w.root.WriteFile(name, []byte(in.Content), 0o644)
	}
	if err != nil {
		return nil, writeOut{}, fileError(err, in.Path, "written")
	}
	return nil, writeOut{Path: name, Bytes: len(in.Content)}, nil
}
