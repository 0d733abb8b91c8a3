package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A till is a server whose tools charge an order, and a record of the charges. Its first calls
// fail, before or after the charge.
type till struct {
	fail    error
	times   int
	late    bool           // the charge is made before the failure
	charged map[string]int // how often, by the part that a call continues from
	amount  int            // of the last charge
	calls   int
	session *mcp.ClientSession
}

type charge struct {
	Order  string `json:"order"`
	Amount int    `json:"amount"`
	Key    string `json:"idempotency_key,omitempty"`
	From   string `json:"continue_from,omitempty"`
}

// charge returns a handler for a charging tool. If idempotent is set, it charges each part once.
func (c *till) charge(idempotent bool) mcp.ToolHandlerFor[charge, any] {
	return func(_ context.Context, _ *mcp.CallToolRequest, in charge) (*mcp.CallToolResult, any, error) {
		c.times--
		fails := c.times >= 0
		if (!fails || c.late) && (!idempotent || c.charged[in.From] == 0) {
			c.charged[in.From]++
			c.amount = in.Amount
		}
		if fails {
			return nil, nil, c.fail
		}
		return nil, map[string]int{"charged": in.Amount}, nil
	}
}

// open connects to the server of a till.
func (c *till) open(ctx context.Context) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "till", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	result.AddTool(server, &mcp.Tool{Name: "charge"}, c.charge(false))
	result.AddTool(server, &mcp.Tool{Name: "charge_once", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		c.charge(true))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge_keyed"},
		&idempotency.Options{Store: new(idempotency.MemoryStore), UpstreamDedupes: true}, c.charge(true))
	result.AddTool(server, &mcp.Tool{Name: "charges", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest, charge) (*mcp.CallToolResult, any, error) {
			return nil, map[string]int{"charges": len(c.charged)}, nil
		})
	serverSide, clientSide := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "model", Version: "v1"}, nil)
	var err error
	c.session, err = client.Connect(ctx, clientSide, nil)
	return err
}

// call makes a call, and returns its failure, or nil if it succeeded.
func (c *till) call(ctx context.Context, tool string, in charge) *toolerr.Error {
	c.calls++
	return result.Parse(c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: in})).Err
}

// notUnderstood is the step for a hint that no rule matches.
const notUnderstood = "nothing: the hint is not understood"

// rules maps the words of a hint to what an obedient model does next. The first match counts.
var rules = []struct {
	words *regexp.Regexp
	step  string
}{
	{
		regexp.MustCompile(`^(?:Wait for retryAfterMs, then c|C)all again (?:from|with \S+ set to) partial\.continueFrom`),
		"continue",
	},
	{
		regexp.MustCompile(`^(?:Wait.*, then retry the same call|Send the same arguments) with idempotency_key set`),
		"repeat with the key",
	},
	{regexp.MustCompile(`^Wait.*, then retry the same call`), "repeat"},
	{regexp.MustCompile(`^(?:Before calling again, check|Check)(?: with \S+)? whether the call took effect`), "look"},
	{regexp.MustCompile(`(?i)^check the arguments`), "correct"},
	{regexp.MustCompile(`^(?:Do not|Tell|Ask|Use|Read)\b`), "stop"},
	{regexp.MustCompile(`(?i)call(?:ing)? again|choose another`), "correct"},
}

// obey follows the hint of each failure, for at most two more calls, and returns the steps.
func (c *till) obey(ctx context.Context, tool string, e *toolerr.Error) (steps []string) {
	in := charge{Order: "ORD-7", Amount: 40}
	for repeats := 0; e != nil; {
		step := notUnderstood
		for _, r := range rules {
			if r.words.MatchString(e.Hint) {
				step = r.step
				break
			}
		}
		steps = append(steps, step)
		switch step {
		case "continue":
			in.From = "2"
		case "repeat with the key":
			in.Key = e.IdempotencyKey
		case "look":
			if len(c.charged) > 0 { // as the read-only tool tells it
				return append(steps, "it was done")
			}
		case "correct":
			in.Order = "ORD-8"
		case "stop":
			return steps
		default:
			if step != "repeat" {
				return steps
			}
		}
		if repeats++; repeats > 2 {
			return append(steps, "stop: at most twice")
		}
		e = c.call(ctx, tool, in)
	}
	return append(steps, "it is done")
}

// part returns the failure of a call that stopped after one of three items.
func part(e *toolerr.Error, from any) *toolerr.Error {
	return e.WithPartial(&toolerr.Partial{Processed: 1, Total: 3, ContinueFrom: from})
}

// situations returns the failures whose hints the model has to obey, by name.
func situations() map[string]error {
	list := map[string]error{
		"bare": errors.New("x"), "timeout": context.DeadlineExceeded, "transient": toolerr.Transient("Busy."),
		"not done":   toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone),
		"lost":       toolerr.Transient("Lost.").WithEffect(toolerr.EffectUnknown),
		"done":       toolerr.Transient("Done, not filed.").WithEffect(toolerr.EffectApplied),
		"throttled":  toolerr.RateLimited("Slow down.", 0),
		"wait":       toolerr.RateLimited("Slow down.", time.Millisecond),
		"long wait":  toolerr.RateLimited("Tomorrow.", time.Hour),
		"limit":      toolerr.LimitExceeded("Over $30.", "A colleague will call."),
		"missing":    toolerr.MissingArgument("order", "an order's number"),
		"choices":    toolerr.InvalidArgument("currency", "zzz", "a currency", "EUR", "USD"),
		"near miss":  toolerr.NotFound("order", "ORD-7", "ORD-8"),
		"known":      toolerr.NotFound("order", "7", "EUR-1", "USD-2"),
		"ambiguous":  toolerr.Ambiguous("order", "7", "ORD-7", "ORD-17"),
		"no options": toolerr.Ambiguous[string]("order", "7"),
		"range":      toolerr.OutOfRange("amount", 40, 1, 30, nil),
		"likely":     toolerr.OutOfRange("amount", 40, 1, 30, 4),
		"part":       part(toolerr.Transient("Cut."), "2"), "part, no way on": part(toolerr.Transient("Cut."), nil),
		"part, wait":    part(toolerr.RateLimited("Slow down.", time.Millisecond), "2"),
		"part, denied":  part(toolerr.Permission("Expired."), "2"),
		"part, refused": part(toolerr.Business("Closed."), "2"),
	}
	for _, category := range []toolerr.Category{
		toolerr.CategoryTransient, toolerr.CategoryValidation,
		toolerr.CategoryBusiness, toolerr.CategoryPermission,
	} {
		list[string(category)+", a category alone"] = &toolerr.Error{
			Category: category, Message: "No.",
			Effect: toolerr.EffectNone,
		}
	}
	for _, code := range []toolerr.Code{
		toolerr.CodeTimeout, toolerr.CodeUnavailable, toolerr.CodeCanceled, toolerr.CodeInternal, toolerr.CodeConflict,
		toolerr.CodeAlreadyExists,
		toolerr.CodeFailedPrecondition, toolerr.CodeUnauthenticated, toolerr.CodePermissionDenied,
		toolerr.CodeInsufficientScope, toolerr.CodeNotFound, toolerr.CodeInvalidArgument,
	} {
		list[string(code)+", a code alone"] = &toolerr.Error{
			Category: toolerr.CategoryTransient, Code: code, Message: "No.",
			Effect: toolerr.EffectNone,
		}
	}
	return list
}

// tried obeys a failure's hint in the nth of twelve ways: with one of three tools, failing once or
// always, before or after the charge. If the failure states an effect that contradicts the way,
// nothing is tried and the hint is empty.
func tried(ctx context.Context, name string, failure error, n int) (hint, steps string, err error) {
	tool := []string{"charge", "charge_once", "charge_keyed"}[n%3]
	c := &till{fail: failure, times: []int{1, 99}[n/3%2], late: n >= 6, charged: map[string]int{}, amount: 40}
	stated := toolerr.From(failure)
	if c.late && stated.Effect == toolerr.EffectNone || !c.late && stated.Effect == toolerr.EffectApplied {
		return "", "", nil
	}
	if c.late && stated.Partial != nil {
		c.times = 1 // a part that is done is not reported again
	}
	if err := c.open(ctx); err != nil {
		return "", "", err
	}
	defer func() { _ = c.session.Close() }()
	e := c.call(ctx, tool, charge{Order: "ORD-7", Amount: 40})
	if e == nil {
		return "", "", fmt.Errorf("%s of %s did not fail", name, tool)
	}
	steps = strings.Join(c.obey(ctx, tool, e), ", ")
	twice := slices.ContainsFunc(slices.Collect(maps.Values(c.charged)), func(n int) bool { return n > 1 })
	if twice || c.amount != 40 || c.calls > 4 || strings.Contains(steps, notUnderstood) {
		err = fmt.Errorf("%s of %s, with the hint %q: charged %v in %d calls: %s", name, tool, e.Hint, c.charged, c.calls,
			steps)
	}
	return e.Hint, steps, err
}

// obedient lets a scripted model obey the hints of all failures, and prints what it did, by hint.
// It returns an error if an order was charged twice, the amount was changed, more than four calls
// were made, or a hint is not understood.
func obedient(ctx context.Context, failures map[string]error, stdout io.Writer) error {
	did := map[string]map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(failures)) {
		for n := range 12 {
			hint, steps, err := tried(ctx, name, failures[name], n)
			if err != nil {
				return err
			}
			if did[hint] == nil {
				did[hint] = map[string]bool{}
			}
			did[hint][steps] = true
		}
	}
	delete(did, "")
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, hint := range slices.Sorted(maps.Keys(did)) {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", hint, strings.Join(slices.Sorted(maps.Keys(did[hint])), "; "))
	}
	return table.Flush()
}
