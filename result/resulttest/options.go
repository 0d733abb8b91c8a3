package resulttest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Options configures [Check]. The zero value, and a nil pointer, are good
// options. Its functions are called from Check's goroutine, except Connect.
type Options struct {
	// Cases are calls of the author's own. The arguments of a tool's first case
	// that wants data, or nothing found, are those that Check varies, in place of
	// some that it makes up from the schema.
	Cases []Case
	// Tools names tools that may be called although they are not annotated as
	// read-only. A [Case] of such a tool is called without it.
	Tools []string
	// All allows it for all tools: only for a server whose data nobody needs.
	All bool
	// Skip names tools that are never called, except by a [Case].
	Skip []string
	// Leaks are looked for beside those of [Leaks].
	Leaks []Leak
	// Ignore, if not nil, chooses findings that are left out of the report; they
	// still count in the scores.
	Ignore func(Finding) bool
	// Timeout limits each call. Zero is 15 s, chosen to be more than any answer to wrong
	// arguments takes; a negative value is no limit, so that only Check's context ends a
	// call. A tool that has used it up twice, or four times in the sum of its calls, is not called
	// any more.
	Timeout time.Duration
	// Connect, if not nil, makes a new session when the server has died, or answers
	// nothing any more; Check closes it. Without it, that is the end of the check.
	Connect func(context.Context) (*mcp.ClientSession, error)
	// Other, if not nil, connects to the same server in another way, such as over HTTP if
	// the check's session is over stdio; Check closes it. Each tool's first call that
	// worked, and its first that failed, are made there too, and the answers compared.
	Other func(context.Context) (*mcp.ClientSession, error)
	// Progress, if not nil, is called before each tool's turn, with how many came
	// before it and how many there are.
	Progress func(tool string, done, total int)
}

// A Case is a call of the author's own, and what should come back. Failures are
// looked at as those of all other calls are, whatever the case wants.
type Case struct {
	// Name describes the call in findings. If empty, it is "the author's case".
	Name string
	// Tool is the tool that is called. The server must have it.
	Tool string
	// Arguments are anything that encodes as a JSON object; nil is an empty one.
	Arguments any
	// Kind is what should come back, such as [result.KindEmpty]; zero means
	// anything, or a failure if Category or Code is set.
	Kind result.Kind
	// Category, if not empty, is the one that the failure should have.
	Category toolerr.Category
	// Code, if not empty, is the one that the failure should have.
	Code toolerr.Code
}

// wants returns the kind of result that the case wants, or zero.
func (c *Case) wants() result.Kind {
	if c.Kind == 0 && (c.Category != "" || c.Code != "") {
		return result.KindFailure
	}
	return c.Kind
}

// probes returns the calls of a tool: the author's, and if the tool may be called
// those that its input schema suggests, else why not.
func (o *Options) probes(tool *mcp.Tool) (list []probe, skipped string) {
	var base any
	for _, own := range o.Cases {
		if own.Tool != tool.Name {
			continue
		}
		list = append(list, probe{name: cmp.Or(own.Name, "the author's case"), arguments: own.Arguments, expected: &own})
		if base == nil && (own.Kind == result.KindData || own.Kind == result.KindEmpty) {
			base = plain(own.Arguments)
		}
	}
	if skipped = o.forbids(tool); skipped != "" {
		return list, skipped
	}
	return append(list, probes(schemaOf(tool.InputSchema), base)...), ""
}

// forbids says why a tool may not be called, or nothing.
func (o *Options) forbids(tool *mcp.Tool) string {
	switch {
	case slices.Contains(o.Skip, tool.Name):
		return "skipped by the options"
	case o.All, slices.Contains(o.Tools, tool.Name), tool.Annotations != nil && tool.Annotations.ReadOnlyHint:
		return ""
	}
	return "not annotated as read-only"
}

// valid returns an error for a tool that the options name and the server does not
// have, since most often it is misspelt, and would be left out unnoticed; and for
// arguments of a case that cannot be sent.
func (o *Options) valid(tools []*mcp.Tool) error {
	named := slices.Concat(o.Tools, o.Skip)
	for _, own := range o.Cases {
		named = append(named, own.Tool)
		if _, err := json.Marshal(own.Arguments); err != nil {
			return fmt.Errorf("the arguments of a case of %q: %w", own.Tool, err)
		}
	}
	for _, name := range named {
		if !slices.ContainsFunc(tools, func(t *mcp.Tool) bool { return t.Name == name }) {
			return fmt.Errorf("the server has no tool %q", name)
		}
	}
	return nil
}
