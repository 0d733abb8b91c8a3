package retry

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Session calls tools: a *[mcp.ClientSession], or what stands before one.
type Session interface {
	CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)
}

// CallTool calls a tool until it succeeds or the policy ends it, and returns the
// last outcome with the decision about it. Params are not changed; every attempt
// gets a copy.
//
// For a SafetyKeyed policy the arguments get an idempotency key of 128 random
// bits, the same for every attempt, unless they hold one; every failure returns
// it. Where the arguments cannot take a key, because they are no JSON object or
// hold a key that is no string, the tool's safety is unknown.
//
// A failure that is handed up carries what was attempted, the values of
// arguments with secret-looking names masked; and where an earlier attempt may
// have taken effect, it says so, whatever the last one said.
//
// Where the context ends before the next attempt could start, CallTool returns
// at once with the last outcome. It starts no goroutine.
func CallTool(ctx context.Context, p Policy, session Session, params *mcp.CallToolParams) (result.Outcome, Decision) {
	if params == nil {
		params = &mcp.CallToolParams{}
	}
	arguments, key := params.Arguments, ""
	if p.Safety == SafetyKeyed {
		var ok bool
		if arguments, key, ok = withKey(params.Arguments, p.keyArgument()); !ok {
			p.Safety = SafetyUnknown
		}
	}
	l := newLoop(ctx, p)
	for {
		attempt := *params
		attempt.Meta = maps.Clone(params.Meta)
		attempt.Arguments = arguments
		if m, ok := arguments.(map[string]any); ok {
			attempt.Arguments = maps.Clone(m)
		}
		out := l.attempt(session, &attempt)
		if out.Err != nil && key != "" && out.Err.IdempotencyKey == "" {
			out.Err = out.Err.WithIdempotencyKey(key)
		}
		d := l.next(out)
		if d.Action == ActionRetry {
			continue
		}
		if out.Err != nil {
			out.Err = l.settle(out.Err, d, toolerr.Attempt{Tool: params.Name, Arguments: maskArguments(params.Arguments)})
		}
		return out, d
	}
}

// attempt makes one call, unless the context has ended already: then nothing was
// sent.
func (l *loop) attempt(session Session, params *mcp.CallToolParams) result.Outcome {
	if err := l.ctx.Err(); err != nil {
		out := result.Parse(nil, err)
		out.Err = out.Err.WithEffect(toolerr.EffectNone)
		return out
	}
	if session == nil {
		return result.Parse(nil, errNoSession)
	}
	return result.Parse(session.CallTool(l.ctx, params))
}

var errNoSession = toolerr.Transient("There is no session to call the tool on.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithHint("Connect to the server first.")

// maskArguments returns arguments as a report may show them, or nil where they
// are no JSON object.
func maskArguments(arguments any) map[string]any {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // identifiers over 2^53 stay whole
	if d.Decode(&object) != nil {
		return nil
	}
	maskObject(object)
	return object
}

func maskObject(object map[string]any) {
	for name, v := range object {
		if secretName(name) {
			object[name] = "[masked]"
			continue
		}
		maskValue(v)
	}
}

func maskValue(v any) {
	switch v := v.(type) {
	case map[string]any:
		maskObject(v)
	case []any:
		for _, item := range v {
			maskValue(item)
		}
	}
}

// secretWords are what the names of secrets are made of, without case and
// separators.
var secretWords = []string{
	"password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential",
	"authorization", "cookie", "idempotencykey", "cvv", "cvc", "cardnumber", "iban", "ssn",
}

func secretName(name string) bool {
	folded := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	for _, word := range secretWords {
		if strings.Contains(folded, word) {
			return true
		}
	}
	return folded == "pin" || folded == "auth" || folded == "pwd"
}
