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

// Options configures [Check]. The zero value and nil are good defaults. Its functions are
// called from Check's goroutine, except Connect and Other.
type Options struct {
	// Cases are additional calls. If a tool has a case that expects data or an empty result,
	// Check varies the arguments of the first one instead of a sample from the schema.
	Cases []Case
	// Tools names tools that may be called although they are not annotated as read-only. A
	// [Case] is called even if its tool is not named here.
	Tools []string
	// All allows calls of all tools. Use it only with a server whose data is disposable.
	All bool
	// Skip names tools that are never called, except by a [Case].
	Skip []string
	// Leaks are further leaks, in addition to those of [Leaks].
	Leaks []Leak
	// Ignore, if not nil, selects findings that are omitted from the report. They still
	// count in the scores.
	Ignore func(Finding) bool
	// Timeout is the maximum duration of each call. Zero is 15 s, chosen to be longer than
	// any answer to invalid arguments takes; a negative value is no limit, so that only
	// Check's context ends a call. A tool is not called again after two calls that timed
	// out, or if its calls take four times the timeout in total.
	Timeout time.Duration
	// Connect, if not nil, makes a new session if the server exits or stops responding;
	// Check closes it. If nil, the check makes no further calls then.
	Connect func(context.Context) (*mcp.ClientSession, error)
	// Other, if not nil, connects to the same server over another transport, such as HTTP if
	// the check's session uses stdio; Check closes it. The first failure and the first
	// success of each tool are repeated there, and the answers are compared.
	Other func(context.Context) (*mcp.ClientSession, error)
	// Progress, if not nil, is called before each tool, with the number of tools that are
	// done and the total.
	Progress func(tool string, done, total int)
}

// A Case is an additional call with its expected result. Its failures are checked like
// those of all other calls, whatever is expected.
type Case struct {
	// Name describes the call in findings. If empty, it is "the author's case".
	Name string
	// Tool is the tool to call. The server must have it.
	Tool string
	// Arguments must encode as a JSON object; nil is an empty one.
	Arguments any
	// Kind is the expected kind of result, such as [result.KindEmpty]. Zero means any, or a
	// failure if Category or Code is set.
	Kind result.Kind
	// Category, if not empty, is the expected category of the failure.
	Category toolerr.Category
	// Code, if not empty, is the expected code of the failure.
	Code toolerr.Code
}

// wants returns the expected kind of result, or zero.
func (c *Case) wants() result.Kind {
	if c.Kind == 0 && (c.Category != "" || c.Code != "") {
		return result.KindFailure
	}
	return c.Kind
}

// probes returns the calls of a tool: its cases and, if the tool may be called, those derived
// from its input schema. Otherwise skipped has the reason.
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

// forbids returns why a tool may not be called, or "".
func (o *Options) forbids(tool *mcp.Tool) string {
	switch {
	case slices.Contains(o.Skip, tool.Name):
		return "skipped by the options"
	case o.All, slices.Contains(o.Tools, tool.Name), tool.Annotations != nil && tool.Annotations.ReadOnlyHint:
		return ""
	}
	return "not annotated as read-only"
}

// validate returns an error if the options name a tool that the server does not have, which
// is usually misspelled, or if the arguments of a case cannot be encoded.
func (o *Options) validate(tools []*mcp.Tool) error {
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
