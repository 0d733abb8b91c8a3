package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A subagent searches one source for the coordinator. It recovers from failures if it can, and
// passes on the rest.
type subagent struct {
	name   string
	source *reader
	mirror []entry // an old copy that can be read when the source cannot, or nil
	log    *slog.Logger
}

// mirrorYear is the year when the mirror was copied: it has no later entries.
const mirrorYear = 1984

// serve runs the subagent's MCP server over stdio.
func serve(ctx context.Context, opts options, stderr io.Writer) error {
	src, err := startSource(opts.agent)
	if err != nil {
		return err
	}
	defer src.close()
	// The log goes to stderr: stdout belongs to the protocol.
	log := slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	log.Info("serving", "agent", opts.agent, "pid", os.Getpid())
	return harness.ServeStdio(ctx, newServer(opts.agent, src.URL, opts.attempts, src.entries, log))
}

// newServer returns the subagent's MCP server. As on any server, result.Middleware and
// result.AddTool structure its failures.
func newServer(name, url string, attempts int, entries []entry, log *slog.Logger) *mcp.Server {
	s := &subagent{name: name, source: newReader(name, url, attempts, log), log: log}
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: log}))
	no := false
	safe := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
	result.AddTool(server, &mcp.Tool{
		Name: "search",
		Description: "Search " + name + " for entries with any of the words of query. A partial result says where to " +
			"continue.",
		Annotations: safe,
	}, s.search)
	if name == "archive" {
		for _, e := range entries {
			if e.Year <= mirrorYear {
				s.mirror = append(s.mirror, e)
			}
		}
		result.AddTool(server, &mcp.Tool{
			Name:        "search_mirror",
			Description: fmt.Sprintf("Search a copy of the archive from the end of %d, by one word.", mirrorYear),
			Annotations: safe,
		}, s.searchMirror)
	}
	return server
}

type searchIn struct {
	Query        string `json:"query" jsonschema:"words to look for, any of which is enough"`
	ContinueFrom int    `json:"continue_from,omitempty" jsonschema:"the number of the first hit to return, 1 if absent"`
	Limit        int    `json:"limit,omitempty" jsonschema:"how many hits to return, all if absent"`
}

// found holds some hits of a search, and how many there are in all.
type found struct {
	Hits  []entry `json:"hits"`
	Total int     `json:"total"`
}

func (s *subagent) search(
	ctx context.Context, _ *mcp.CallToolRequest, in searchIn,
) (*mcp.CallToolResult, found, error) {
	defer s.answered()
	if err := checkSearch(in); err != nil {
		return nil, found{}, err
	}
	from := max(in.ContinueFrom, 1)
	var got found
	for {
		ask := request{Query: in.Query, From: from + len(got.Hits), Limit: pageSize}
		if in.Limit > 0 {
			ask.Limit = min(pageSize, in.Limit-len(got.Hits))
		}
		part, err := s.source.read(ctx, ask)
		if err != nil {
			return nil, found{}, s.handUp(ask, got, err)
		}
		got.Hits, got.Total = append(got.Hits, part.Entries...), part.Total
		if len(part.Entries) == 0 || ask.From+len(part.Entries) > part.Total || len(got.Hits) == in.Limit {
			break
		}
	}
	switch {
	case got.Total == 0:
		return result.Empty(fmt.Sprintf("Nothing in %s has a word of %q.", s.name, in.Query), nil), got, nil
	case len(got.Hits) == 0:
		return nil, found{}, toolerr.OutOfRange("continue_from", in.ContinueFrom, 1, got.Total, nil)
	}
	return nil, got, nil
}

type mirrorIn struct {
	Query string `json:"query" jsonschema:"the word to look for"`
}

func (s *subagent) searchMirror(
	_ context.Context, _ *mcp.CallToolRequest, in mirrorIn,
) (*mcp.CallToolResult, found, error) {
	defer s.answered()
	if err := checkSearch(searchIn{Query: in.Query}); err != nil {
		return nil, found{}, err
	}
	if each := words(in.Query); len(each) > 1 {
		return nil, found{}, toolerr.Validation(fmt.Sprintf("The mirror looks up one word at a time, got %d.", len(each))).
			WithCode(toolerr.CodeInvalidArgument).WithField("query").WithSuggestions(each...).
			WithHint("Call once for each of the suggestions.")
	}
	hits := matching(s.mirror, in.Query)
	if len(hits) == 0 {
		return result.Empty(fmt.Sprintf("Nothing in the mirror has the word %q.", in.Query), nil), found{}, nil
	}
	return nil, found{Hits: hits, Total: len(hits)}, nil
}

func checkSearch(in searchIn) error {
	switch {
	case len(words(in.Query)) == 0:
		return toolerr.Validation("The query has no word in it.").WithCode(toolerr.CodeMissingArgument).WithField("query")
	case in.ContinueFrom < 0:
		return toolerr.InvalidArgument("continue_from", in.ContinueFrom, "a number from 1")
	case in.Limit < 0:
		return toolerr.InvalidArgument("limit", in.Limit, "a number from 1")
	}
	return nil
}

// answered logs the end of a call, so that a reader of the log recognizes it.
func (s *subagent) answered() { s.log.Debug(logAnswered) }
