package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// read_file gets a wrong path. The library finds similar paths among those that the caller may
// read.

func addReadFile(server *mcp.Server, w *workspace) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "read_file",
		Description: "Read a text file of the workspace.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}, w.readFile)
}

type readIn struct {
	Path string `json:"path" jsonschema:"the file's path in the workspace, such as src/db/session.ts"`
}

type readOut struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (w *workspace) readFile(
	_ context.Context, _ *mcp.CallToolRequest, in readIn,
) (*mcp.CallToolResult, readOut, error) {
	name, err := clean(in.Path)
	if err != nil {
		return nil, readOut{}, err
	}
	w.mu.RLock()
	content, err := w.root.ReadFile(name)
	w.mu.RUnlock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		known, err := w.files()
		if err != nil {
			return nil, readOut{}, toolerr.Wrap(err, "The files of the workspace cannot be listed.")
		}
		return nil, readOut{}, toolerr.NotFound("file", in.Path, known...).WithField("path")
	case err != nil:
		if info, err := w.root.Stat(name); err == nil && info.IsDir() {
			return nil, readOut{}, toolerr.InvalidArgument("path", in.Path, "the path of a file, not of a folder")
		}
		return nil, readOut{}, fileError(err, in.Path, "read")
	}
	return nil, readOut{Path: name, Content: string(content)}, nil
}
