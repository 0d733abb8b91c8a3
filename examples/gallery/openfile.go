package main

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// open_file: a name that several files share. It returns all of them as options and opens none,
// because a guess would sometimes be wrong.

func addOpenFile(server *mcp.Server, w *workspace) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "open_file",
		Description: "Find a file of the workspace by its name, or by the end of its path, and read it.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}, w.openFile)
}

type openIn struct {
	Name string `json:"name" jsonschema:"a name or the end of a path, such as \"notes\" or \"db/session.ts\""`
}

// An option is a name that identifies a single file.
type option struct {
	Name string `json:"name"`
}

func (w *workspace) openFile(
	ctx context.Context, req *mcp.CallToolRequest, in openIn,
) (*mcp.CallToolResult, readOut, error) {
	if in.Name == "" {
		return nil, readOut{}, toolerr.Validation("The name is empty.").WithCode(toolerr.CodeMissingArgument).
			WithField("name").
			WithHint("Call again with the name of a file, such as notes.")
	}
	known, err := w.files()
	if err != nil {
		return nil, readOut{}, toolerr.Wrap(err, "The files of the workspace cannot be listed.")
	}
	if slices.Contains(known, in.Name) { // or else no option could open a file whose path ends another's
		return w.readFile(ctx, req, readIn{Path: in.Name})
	}
	var names []string
	var fits []option
	for _, file := range known {
		stem := strings.TrimSuffix(file, path.Ext(file))
		names = append(names, path.Base(stem), path.Base(file), stem, file)
		if strings.HasSuffix("/"+file, "/"+in.Name) || strings.HasSuffix("/"+stem, "/"+in.Name) {
			fits = append(fits, option{file})
		}
	}
	switch len(fits) {
	case 0:
		return nil, readOut{}, toolerr.NotFound("file", in.Name, names...).WithField("name")
	case 1:
		return w.readFile(ctx, req, readIn{Path: fits[0].Name})
	}
	return nil, readOut{}, toolerr.Ambiguous("name", in.Name, fits...).
		WithHint("Call again with name as the one of options that the task clearly means; else ask the user which.")
}
