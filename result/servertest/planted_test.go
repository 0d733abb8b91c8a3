package servertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// lookupSchema is the input schema of the tools below. The description has a valid id.
const lookupSchema = `{"type":"object","additionalProperties":false,"required":["order_id"],"properties":{
	"order_id":{"type":"string","description":"the order, such as ORD-10001"},
	"status":{"type":"string","enum":["open","closed"]},
	"limit":{"type":"integer","minimum":1,"maximum":50}}}`

type lookup struct {
	OrderID string `json:"order_id"`
	Status  string `json:"status"`
	Limit   *int   `json:"limit"`
}

type answerer func(ctx context.Context, in lookup) (*mcp.CallToolResult, error)

// found is the answer of a good tool: one order, or none.
func found(_ context.Context, in lookup) (*mcp.CallToolResult, error) {
	if in.OrderID != "ORD-10001" {
		return result.Empty("No order has the id "+in.OrderID+".", map[string]any{"orders": []any{}}), nil
	}
	return result.OK(map[string]any{"orders": []any{map[string]any{"id": in.OrderID}}}), nil
}

// refuse decodes the arguments, and returns the error of a good tool if they are invalid.
func refuse(raw json.RawMessage) (lookup, error) {
	var in lookup
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return in, toolerr.Validation("The arguments do not fit: " + err.Error()).WithCode(toolerr.CodeInvalidArgument).
			WithHint("Call again with other arguments.")
	}
	switch {
	case in.OrderID == "":
		return in, toolerr.Validation("The order_id is missing.").WithCode(toolerr.CodeMissingArgument)
	case in.Status != "" && in.Status != "open" && in.Status != "closed":
		return in, toolerr.InvalidArgument("status", in.Status, "open or closed")
	case in.Limit != nil && (*in.Limit < 1 || *in.Limit > 50):
		return in, toolerr.OutOfRange("limit", *in.Limit, 1, 50, 50)
	}
	return in, nil
}

func readOnly(name string) *mcp.Tool {
	return &mcp.Tool{
		Name: name, InputSchema: json.RawMessage(lookupSchema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}
}

// add adds a tool that rejects invalid arguments with fail, and otherwise calls answer.
func add(server *mcp.Server, tool *mcp.Tool, fail func(error) (*mcp.CallToolResult, error), answer answerer) {
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		in, err := refuse(req.Params.Arguments)
		if err != nil {
			return fail(err)
		}
		return answer(ctx, in)
	})
}

// serve returns a server with the read-only tool "find".
func serve(fail func(error) (*mcp.CallToolResult, error), answer answerer) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
	add(server, readOnly("find"), fail, answer)
	return server
}

// check returns the report of a server, and checkSession that of a session.
func check(t *testing.T, server *mcp.Server, opts *servertest.Options) *servertest.Report {
	t.Helper()
	return checkSession(t, testutil.Connect(t, server, nil), opts)
}

func checkSession(t *testing.T, session *mcp.ClientSession, opts *servertest.Options) *servertest.Report {
	t.Helper()
	report, err := servertest.Check(t.Context(), session, opts)
	require.NoError(t, err)
	isExplained := report.Score == 100 || len(report.Findings)+len(report.Notes) > 0 || opts != nil && opts.Ignore != nil
	assert.True(t, isExplained, "nothing says why the score is %d", report.Score)
	return report
}

func envelope(err error) (*mcp.CallToolResult, error) { return result.Failure(err), nil }

// saying returns a function that fails with a text.
func saying(text string) func(error) (*mcp.CallToolResult, error) {
	return func(error) (*mcp.CallToolResult, error) { return rawFailure(text), nil }
}

// always returns an answerer with one result; failing and succeeding make it from a text.
func always(res *mcp.CallToolResult) answerer {
	return func(context.Context, lookup) (*mcp.CallToolResult, error) { return res, nil }
}

func failing(text string) answerer { return always(rawFailure(text)) }

func succeeding(text string) answerer {
	return always(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}})
}

// failsWith returns a function that fails with e, whatever the error.
func failsWith(e error) func(error) (*mcp.CallToolResult, error) {
	return func(error) (*mcp.CallToolResult, error) {
		var protocol *jsonrpc.Error
		if errors.As(e, &protocol) {
			return nil, e
		}
		return result.Failure(e), nil
	}
}

// planted are tools with one defect each.
var planted = map[string]struct {
	fail   func(error) (*mcp.CallToolResult, error)
	answer answerer
	want   servertest.Kind
	detail string
}{
	"a thrown protocol error": {
		failsWith(&jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "bad arguments"}),
		found, servertest.KindProtocolError, "-32602: bad arguments",
	},

	"a code that the SDK takes for the end": {
		failsWith(&jsonrpc.Error{Code: -32004, Message: "no"}), found,
		servertest.KindProtocolError, "",
	},

	"a bare text": {saying("bad order_id"), found, servertest.KindBareText, "plain text"},
	"no text":     {saying(""), found, servertest.KindBareText, "the failure has no text"},
	"no category": {
		saying(`{"isError":true,"isRetryable":false,"message":"bad order_id","hint":"h"}`), found,
		servertest.KindIncomplete, "has no errorCategory",
	},
	"a category that says nothing": {
		saying(`{"isError":true,"errorCategory":"unknown","isRetryable":false,"message":"bad order_id","hint":"h"}`),
		found, servertest.KindIncomplete, `errorCategory "unknown"`,
	},
	"no retryability": {
		saying(`{"isError":true,"errorCategory":"validation","message":"bad order_id","hint":"h"}`), found,
		servertest.KindIncomplete, "no isRetryable",
	},
	"retryability in prose": {
		saying(`{"isError":true,"errorCategory":"validation","isRetryable":"maybe","message":"bad order_id","hint":"h"}`),
		found, servertest.KindIncomplete, "not a boolean",
	},
	"no message": {saying(`{"isError":true,"errorCategory":"validation","isRetryable":false,` +
		`"field":"order_id","hint":"h"}`), found, servertest.KindIncomplete, "no message"},
	"no hint": {saying(`{"isError":true,"errorCategory":"validation","isRetryable":false,"message":"bad ` +
		`order_id"}`), found, servertest.KindNoHint, "no hint"},
	"bad input as internal": {
		failsWith(toolerr.Internal(nil)), found, servertest.KindMasked,
		"which hides the mistake in the input: without order_id",
	},
	"no such order as internal": {envelope, func(ctx context.Context, in lookup) (*mcp.CallToolResult, error) {
		if in.OrderID != "ORD-10001" {
			return result.Failure(toolerr.Internal(nil)), nil
		}
		return found(ctx, in)
	}, servertest.KindMasked, "order_id that does not exist"},
	"a leak in an envelope": {
		failsWith(toolerr.Validation("bad order_id").WithHint("h").
			WithDetails(map[string]any{"stack": "panic: runtime error\n\tmain.go:7 +0x1f"})),
		found, servertest.KindLeak, "shows the model a stack trace",
	},
	"a constant envelope": {
		failsWith(toolerr.Validation("It did not work.").WithHint("Try again.")), found,
		servertest.KindSameAnswer, "the same of 8 different mistakes",
	},
	"a leak to a customer": {
		envelope,
		always(result.Failure(toolerr.Business("No.").WithCustomerMessage("Ask 10.0.0.7:1."))), servertest.KindLeak,
		"the model and the customer an internal host",
	},
	"a password": {
		envelope,
		always(result.Failure(toolerr.Transient("postgres://admin:hunter2hunter2@db/orders is away"))),
		servertest.KindCredential, "a key or token, 14 characters",
	},
	"a leak of an upstream": {envelope, always(result.Failure(toolerr.Transient("dial tcp 10.0.0.7:5432: " +
		"connection refused"))), servertest.KindLeak, "internal host: 10.0.0.7"},
	"an empty answer as failure": {
		envelope, always(result.Failure(toolerr.Business("No orders found.").WithHint("h"))),
		servertest.KindEmptyAsFailure, "marked as a failure",
	},
	"an empty list as failure": {
		envelope, failing(`{"orders":[]}`), servertest.KindEmptyAsFailure,
		"marked as a failure",
	},
	"a failure as success": {
		envelope, succeeding("Error: connection refused"), servertest.KindFailureAsSuccess,
		"Error: connection refused",
	},
	"a failure as success, in JSON": {
		envelope, succeeding(`{"success":false,"error":"it broke"}`),
		servertest.KindFailureAsSuccess, "it broke",
	},
	"a failure as nothing found": {
		envelope, succeeding(`{"orders":[],"error":"connection refused"}`),
		servertest.KindFailureAsSuccess, "connection refused",
	},
	"null for an empty list": {envelope, succeeding(`{"orders":null,"id":7}`), servertest.KindNullList, "orders is null"},
	"null for everything":    {envelope, succeeding(`null`), servertest.KindNullList, "the whole answer is null"},
	"no validation": {func(error) (*mcp.CallToolResult, error) {
		return found(context.Background(), lookup{OrderID: "ORD-10001"})
	}, found, servertest.KindAccepted, "without order_id"},
	"no answer": {envelope, func(ctx context.Context, _ lookup) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, servertest.KindNoAnswer, "within 15s"},
}

func TestCheck_PlantedDefects(t *testing.T) {
	t.Parallel()
	for name, defect := range planted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := serve(envelope, found)
				add(server, readOnly("good_too"), envelope, found)
				bad := readOnly("bad")
				if strings.Contains(defect.detail, "orders is null") {
					bad.OutputSchema = json.RawMessage(`{"type":"object","properties":{"orders":{"type":["null","array"]}}}`)
				}
				add(server, bad, defect.fail, defect.answer)
				report := check(t, server, nil)
				require.Len(t, report.Findings, 1, "%s", report.Findings)
				f := report.Findings[0]
				assert.Equal(t, "bad", f.Tool)
				assert.Equal(t, defect.want, f.Kind)
				assert.Contains(t, f.Detail, defect.detail)
				assert.NotEmpty(t, f.Calls)
				assert.Regexp(t, `^\{.*\}$`, f.Arguments)
				assert.Regexp(t, `^[A-Z][^.]+\.$`, f.Why, "one sentence")
				assert.Regexp(t, `^[A-Z][^.]+\.$`, f.Fix, "one sentence")
				assert.Less(t, report.Score, 100, "the score shows it")
				assert.Equal(t, f.Severity == "error", report.Tier == servertest.TierUnsafe, "%s", report.Tier)
			})
		})
	}
}

// A tool that always fails is not reported as masking, and an incomplete answer is neither a
// failure nor an empty result.
func TestCheck_NotMasked(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]answerer{
		"a service that is down": always(result.Failure(toolerr.Internal(nil))),
		"complete and empty":     succeeding(`{"total_count":0,"incomplete_results":false,"items":[]}`),
		"complete":               succeeding(`{"total_count":1,"incomplete_results":false,"items":[{"id":1}]}`),
		"incomplete":             succeeding(`{"total_count":9,"incomplete_results":true,"items":[{"id":1}]}`),
	} {
		report := check(t, serve(envelope, answer), nil)
		assert.Empty(t, report.Findings, "%s: %s", name, report.Findings)
	}
	for _, down := range []error{toolerr.Internal(nil), toolerr.Transient("The orders are away.").WithHint("h")} {
		report := check(t, serve(failsWith(down), always(result.Failure(down))), nil)
		assert.Empty(t, report.Findings, "arguments are validated by a service that is down: %s", report.Findings)
	}
}

func TestCheck_GoodServer(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "good"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	type orders struct {
		Orders []string `json:"orders"`
	}
	result.AddTool(server, &mcp.Tool{Name: "find", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in lookup) (*mcp.CallToolResult, orders, error) {
			if in.OrderID == "example" {
				return nil, orders{}, errors.New("postgres://user:secret@db.internal:5432 is away")
			}
			return result.Empty("No orders found.", nil), orders{}, nil
		})
	report := check(t, server, nil)
	assert.Empty(t, report.Findings)
	assert.Greater(t, report.Tools[0].Calls, 8)
	assert.Equal(t, "proven 100", fmt.Sprint(report.Tier, " ", report.Score))
}

// What a tier claims, and what lowers it.
func TestCheck_Tiers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail   func(error) (*mcp.CallToolResult, error)
		answer answerer
		opts   *servertest.Options
		want   string
	}{
		"ours": {envelope, found, nil, "proven 100"},
		"a constant envelope": {
			failsWith(toolerr.Validation("It did not work.").WithHint("Try again.")), found,
			nil, "opaque 20",
		},
		"bare texts that name the kind": {
			saying("permission denied"), failing("permission denied"), nil,
			"readable 40 find no_success",
		},
		"one kind for every mistake":  {saying("permission denied"), found, nil, "opaque 20"},
		"the name of the called tool": {saying("Tool 'find' failed."), found, nil, "opaque 20"},
		"an unknown host": {
			saying("getaddrinfo ENOTFOUND a.example"),
			failing("getaddrinfo ENOTFOUND a.example"), nil, "readable 40 find no_success",
		},
		"a message by another name": {saying(`{"errorCategory":"validation","isRetryable":false,"errmsg":"order_id is ` +
			`wrong"}`), found, nil, "structured 60"},
		"a refusal that reads as a bug": {saying("json: cannot unmarshal number into Go struct field In.order_id of type " +
			"string"), found, nil, "readable 49"},
		"bare texts that say nothing": {saying("Something went wrong."), found, nil, "opaque 20"},
		"no hint": {saying(`{"isError":true,"errorCategory":"validation","isRetryable":false,` +
			`"message":"order_id is wrong"}`), found, nil, "structured 60"},
		"a password that is allowed": {
			envelope,
			always(result.Failure(toolerr.Transient("postgres://admin:hunter2hunter2@db is away"))),
			&servertest.Options{Allow: []servertest.Kind{servertest.KindCredential}}, "structured 75 find no_success",
		},
		"a failure told as data": {envelope, succeeding("Error: connection refused"), nil, "unsafe 15"},
		"no call that succeeds": {
			envelope, always(result.Failure(toolerr.NotFound("order", "ORD-10001"))), nil,
			"structured 79 find no_success",
		},
		"nothing that can be tested": {saying(`{"errorCategory":"validation","isRetryable":false,"message":"order_id is ` +
			`wrong","hint":"h"}`), found, nil, "structured 79  untested"},
		"every call is accepted": {
			func(error) (*mcp.CallToolResult, error) { return result.OK("fine"), nil }, found, nil,
			"opaque 20  untested",
		},
		"two in eight are accepted": {func(err error) (*mcp.CallToolResult, error) {
			if strings.Contains(err.Error(), "limit must") {
				return result.OK("fine"), nil
			}
			return envelope(err)
		}, found, nil, "structured 74"},
	} {
		report := check(t, serve(c.fail, c.answer), c.opts)
		assert.Equal(t, c.want, strings.TrimSpace(fmt.Sprintln(report.Tier, report.Score,
			strings.Join(kindsOf(report.Notes), " "))), "%s: %v", name, report.Failures)
	}
	writing := &mcp.Tool{Name: "writes", InputSchema: json.RawMessage(lookupSchema)}
	report := check(t, record(writing).Server, nil)
	assert.Empty(t, report.Tier, "nothing was called")
	server := serve(envelope, found)
	writing.Annotations = &mcp.ToolAnnotations{IdempotentHint: true}
	add(server, writing, envelope, found)
	for want, opts := range map[string]*servertest.Options{
		"structured 79 by 1 writes not_called": nil,
		"proven 100 by 2 ":                     {All: true},
	} {
		report = check(t, server, opts)
		assert.Equal(t, want, fmt.Sprintf("%s %d by %d %s", report.Tier, report.Score, report.Called,
			strings.Join(kindsOf(report.Notes), " ")))
	}
}
