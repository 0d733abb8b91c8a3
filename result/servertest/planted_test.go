package servertest_test

import (
	"context"
	"encoding/json"
	"errors"
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
		return in, toolerr.Validation("The arguments do not fit.").WithCode(toolerr.CodeInvalidArgument).WithHint("Call again with other arguments.")
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
	return &mcp.Tool{Name: name, InputSchema: json.RawMessage(lookupSchema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
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

func envelope(err error) (*mcp.CallToolResult, error) { return result.Failure(err), nil }

// saying returns a function that fails with a text.
func saying(text string) func(error) (*mcp.CallToolResult, error) {
	return func(error) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
}

func failing(text string) answerer {
	return func(context.Context, lookup) (*mcp.CallToolResult, error) { return saying(text)(nil) }
}

func succeeding(text string) answerer {
	return func(context.Context, lookup) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
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
		func(error) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "bad arguments"}
		},
		found, servertest.KindProtocolError, "-32602: bad arguments",
	},
	"a code that the SDK takes for the end": {
		func(error) (*mcp.CallToolResult, error) { return nil, &jsonrpc.Error{Code: -32004, Message: "no"} },
		found, servertest.KindProtocolError, "",
	},
	"a bare text": {saying("bad arguments"), found, servertest.KindBareText, "plain text"},
	"no text":     {saying(""), found, servertest.KindBareText, "the failure has no text"},
	"no category": {saying(`{"isError":true,"isRetryable":false,"message":"m","hint":"h"}`), found, servertest.KindIncomplete, "has no errorCategory"},
	"a category that says nothing": {
		saying(`{"isError":true,"errorCategory":"unknown","isRetryable":false,"message":"m","hint":"h"}`),
		found, servertest.KindIncomplete, `errorCategory "unknown"`,
	},
	"no retryability": {saying(`{"isError":true,"errorCategory":"validation","message":"m","hint":"h"}`), found, servertest.KindIncomplete, "no isRetryable"},
	"retryability in prose": {
		saying(`{"isError":true,"errorCategory":"validation","isRetryable":"maybe","message":"m","hint":"h"}`),
		found, servertest.KindIncomplete, "not a boolean",
	},
	"no message": {saying(`{"isError":true,"errorCategory":"validation","isRetryable":false,"hint":"h"}`), found, servertest.KindIncomplete, "no message"},
	"no hint":    {saying(`{"isError":true,"errorCategory":"validation","isRetryable":false,"message":"m"}`), found, servertest.KindNoHint, "no hint"},
	"bad input as internal": {
		func(err error) (*mcp.CallToolResult, error) { return result.Failure(toolerr.Internal(err)), nil },
		found, servertest.KindMasked, "which hides the mistake in the input: without order_id",
	},
	"no such order as internal": {
		envelope, func(ctx context.Context, in lookup) (*mcp.CallToolResult, error) {
			if in.OrderID != "ORD-10001" {
				return result.Failure(toolerr.Internal(nil)), nil
			}
			return found(ctx, in)
		},
		servertest.KindMasked, "order_id that does not exist",
	},
	"another shape": {
		saying(`{"isError":true,"error_category":"validation","isRetryable":false,"message":"m","hint":"h"}`),
		found, servertest.KindOtherShape, "the category is error_category here, but errorCategory in most failures",
	},
	"a nested shape": {
		saying(`{"error":{"category":"validation","retryable":false,"msg":"m","hint":"h"}}`),
		found, servertest.KindOtherShape, "error.category",
	},
	"a leak in an envelope": {
		func(error) (*mcp.CallToolResult, error) {
			return result.Failure(toolerr.Validation("m").WithHint("h").WithDetails(map[string]any{"stack": "panic: runtime error\n\tmain.go:7 +0x1f"})), nil
		},
		found, servertest.KindLeak, "stack trace",
	},
	"a leak of an upstream": {
		envelope, func(context.Context, lookup) (*mcp.CallToolResult, error) {
			return result.Failure(toolerr.Transient("dial tcp 10.0.0.7:5432: connection refused")), nil
		},
		servertest.KindLeak, "internal host: 10.0.0.7",
	},
	"an empty answer as failure": {
		envelope, func(context.Context, lookup) (*mcp.CallToolResult, error) {
			return result.Failure(toolerr.Business("No orders found.").WithHint("h")), nil
		},
		servertest.KindEmptyAsFailure, "marked as a failure",
	},
	"an empty list as failure":      {envelope, failing(`{"orders":[]}`), servertest.KindEmptyAsFailure, "marked as a failure"},
	"a failure as success":          {envelope, succeeding("Error: connection refused"), servertest.KindFailureAsSuccess, "Error: connection refused"},
	"a failure as success, in JSON": {envelope, succeeding(`{"success":false,"error":"it broke"}`), servertest.KindFailureAsSuccess, "it broke"},
	"a failure as nothing found":    {envelope, succeeding(`{"orders":[],"error":"connection refused"}`), servertest.KindFailureAsSuccess, "connection refused"},
	"null for an empty list":        {envelope, succeeding(`{"orders":null,"id":7}`), servertest.KindNullList, "orders is null"},
	"null for everything":           {envelope, succeeding(`null`), servertest.KindNullList, "the whole answer is null"},
	"no validation": {
		func(error) (*mcp.CallToolResult, error) {
			return found(context.Background(), lookup{OrderID: "ORD-10001"})
		},
		found, servertest.KindAccepted, "without order_id",
	},
	"no answer": {
		envelope, func(ctx context.Context, _ lookup) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		servertest.KindNoAnswer, "within 15s",
	},
}

func TestCheck_PlantedDefects(t *testing.T) {
	t.Parallel()
	for name, defect := range planted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := mcp.NewServer(&mcp.Implementation{Name: "planted"}, nil)
				add(server, readOnly("good"), envelope, found)
				add(server, readOnly("good_too"), envelope, found)
				add(server, readOnly("bad"), defect.fail, defect.answer)
				report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
				require.NoError(t, err)
				require.Len(t, report.Findings, 1, "%s", report.Findings)
				f := report.Findings[0]
				assert.Equal(t, "bad", f.Tool)
				assert.Equal(t, defect.want, f.Kind)
				assert.Contains(t, f.Detail, defect.detail)
				assert.NotEmpty(t, f.Calls)
				assert.Regexp(t, `^\{.*\}$`, f.Arguments)
				for _, sentence := range []string{f.Why, f.Fix} {
					assert.Regexp(t, `^[A-Z][^.]+\.$`, sentence, "one sentence")
				}
				wrong := 0
				for _, s := range report.Scores {
					if s.Percent() < 100 {
						wrong++
					}
				}
				assert.NotZero(t, wrong, "the score shows it")
			})
		})
	}
}

// A tool that always fails is not reported as masking, and an incomplete answer is neither a
// failure nor an empty result.
func TestCheck_NotMasked(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]answerer{
		"a service that is down": func(context.Context, lookup) (*mcp.CallToolResult, error) {
			return result.Failure(toolerr.Internal(nil)), nil
		},
		"complete and empty": succeeding(`{"total_count":0,"incomplete_results":false,"items":[]}`),
		"complete":           succeeding(`{"total_count":1,"incomplete_results":false,"items":[{"id":1}]}`),
		"incomplete":         succeeding(`{"total_count":9,"incomplete_results":true,"items":[{"id":1}]}`),
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
		add(server, readOnly("t"), envelope, answer)
		report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
		require.NoError(t, err)
		assert.Empty(t, report.Findings, "%s: %s", name, report.Findings)
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
	session := testutil.Connect(t, server, nil)
	report, err := servertest.Check(t.Context(), session, nil)
	require.NoError(t, err)
	assert.Empty(t, report.Findings)
	assert.Greater(t, report.Tools[0].Calls, 8)
	for _, s := range report.Scores {
		assert.Equal(t, 100, s.Percent())
		assert.NotZero(t, s.Total, s.Area)
	}
}
