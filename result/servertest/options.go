package servertest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Options configures [Check]. The zero value and nil are good defaults. Its functions are
// called from Check's goroutine, except Connect.
type Options struct {
	// Cases are additional calls. They are made in this order, before all others. If a tool has a case
	// that does not expect a failure, Check varies the arguments of the first such case instead of a
	// sample from the schema.
	Cases []Case
	Tools []string         // tools that may be called although they are not annotated as read-only
	All   bool             // allow calls of all tools: only with a server whose data is disposable
	Skip  []string         // tools that are never called, except by a Case
	Leaks []*regexp.Regexp // match further texts that must not be in a failure
	// Ignore names findings that are omitted from the report: a kind, such as "leak", or a kind in
	// one tool, such as "get_order leak". They still count toward the tier.
	Ignore []string
	Allow  []Kind // do not make the server unsafe, whatever their severity
	// Timeout is the maximum duration of each call, and of reading the list of tools. Zero means 15 s,
	// chosen to be longer than any answer to invalid arguments takes; a negative value means no limit.
	// A tool is not called again after two calls without an answer, or once its calls have taken more
	// than four times the timeout in total.
	Timeout time.Duration
	// Connect, if not nil, makes a new session if the server exits or stops responding; Check
	// closes it. If nil, Check makes no calls after that.
	Connect func(context.Context) (*mcp.ClientSession, error)
	// Progress, if not nil, is called before each tool.
	Progress func(tool string, done, total int)
}

// A Case is an additional call with its expected result. Even an expected failure is checked.
type Case struct {
	Name      string           // describes the call in findings; if empty, "the author's case"
	Tool      string           // the tool to call; the server must have it
	Arguments any              // must encode as a JSON object; nil is an empty one
	Kind      result.Kind      // the expected kind of result; zero is any, or a failure if Category or Code is set
	Category  toolerr.Category // the expected category of the failure; empty is any
	Code      toolerr.Code     // the expected code of the failure; empty is any
	// Run, if not nil, runs the case: it makes the call by calling its argument, at most once. It
	// can change the state of the server's upstream before and after. That argument returns the
	// findings that the answer alone shows, except leaks, or an error if no call could be made.
	Run func(call func() ([]Finding, error))
}

// arguments returns the arguments of a case as they are sent.
func (c *Case) arguments() (map[string]any, error) {
	v, err := jsonvalue.Recode(c.Arguments)
	arguments, isObject := v.(map[string]any)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the arguments of a case of %q: %w", c.Tool, err)
	case v == nil:
		return map[string]any{}, nil
	case !isObject:
		return nil, fmt.Errorf("the arguments of a case of %q are not a JSON object", c.Tool)
	}
	return arguments, nil
}

// probes returns the calls derived from a tool's schema. If it may not be called, skipped says why.
func (o *Options) probes(t *tool) (list []probe, skipped string) {
	if skipped = o.forbids(t); skipped != "" {
		return nil, skipped
	}
	valid := t.arguments()
	for _, own := range slices.Backward(o.Cases) {
		if own.Tool == t.Name && own.Kind != result.KindFailure && own.Category == "" && own.Code == "" {
			valid, _ = own.arguments() // validated
		}
	}
	return probes(schema{t.input.Resolved()}, valid), ""
}

// forbids returns why a tool may not be called, or "".
func (o *Options) forbids(t *tool) string {
	switch {
	case slices.Contains(o.Skip, t.Name):
		return "skipped by the options"
	case o.All, slices.Contains(o.Tools, t.Name), t.hints.ReadOnlyHint:
		return ""
	}
	return "not annotated as read-only"
}

// ignores reports whether a finding is omitted.
func (o *Options) ignores(f Finding) bool {
	return slices.Contains(o.Ignore, string(f.Kind)) || slices.Contains(o.Ignore, f.Tool+" "+string(f.Kind))
}

// validate returns an error if the options name an unknown tool or an unknown kind, which is
// usually a typo. It also returns one if the arguments of a case are not an object.
func (o *Options) validate(tools []*tool) error {
	named := slices.Concat(o.Tools, o.Skip)
	for _, own := range o.Cases {
		named = append(named, own.Tool)
		if _, err := own.arguments(); err != nil {
			return err
		}
	}
	kinds := slices.Clone(o.Allow)
	for _, entry := range o.Ignore {
		space := strings.LastIndexByte(entry, ' ')
		kinds = append(kinds, Kind(entry[space+1:]))
		if space > 0 {
			named = append(named, entry[:space])
		}
	}
	for _, kind := range kinds {
		if _, known := explanations()[kind]; !known {
			return fmt.Errorf("there is no kind of finding %q", kind)
		}
	}
	for _, name := range named {
		if !slices.ContainsFunc(tools, func(t *tool) bool { return t.Name == name }) {
			return fmt.Errorf("the server has no tool %q", name)
		}
	}
	return nil
}
