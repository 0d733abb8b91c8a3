package mcpotel

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The values that are recorded unchanged.
var (
	boundedCategories = []toolerr.Category{
		toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
	}
	boundedEffects = []toolerr.Effect{toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown}
	ownCodes       = []toolerr.Code{
		toolerr.CodeTimeout, toolerr.CodeRateLimited, toolerr.CodeUnavailable, toolerr.CodeCanceled, toolerr.CodeInternal,
		toolerr.CodeNotFound, toolerr.CodeInvalidArgument, toolerr.CodeMissingArgument, toolerr.CodeAmbiguous,
		toolerr.CodeOutOfRange, toolerr.CodeConflict, toolerr.CodeAlreadyExists, toolerr.CodeFailedPrecondition,
		toolerr.CodeLimitExceeded, toolerr.CodeUnauthenticated, toolerr.CodePermissionDenied, toolerr.CodeInsufficientScope,
	}
)

// The range of error codes that the JSON-RPC specification reserves. Any other number may be data
// that a peer received.
const minCode, maxCode = -32768, -32000

// callersFault lists the codes of the JSON-RPC specification that are the client's fault, and
// -32002 for a missing resource. The conventions do not count them as server errors.
var callersFault = []int64{
	jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams, -32002,
}

// bounded returns an attribute, and whether it has a value. An unknown value becomes _OTHER.
func bounded(key attribute.Key, value string, known bool) (attribute.KeyValue, bool) {
	if !known {
		value = other
	}
	return key.String(value), value != ""
}

// classify returns the attributes of a failure, or none for a success.
func (op *operation) classify(res mcp.Result, err error) (attributes []attribute.KeyValue) {
	defer func() {
		if recover() != nil { // a method of the error panicked
			attributes = []attribute.KeyValue{errorType.String(other)}
		}
	}()
	called, _ := res.(*mcp.CallToolResult)
	if err == nil && (called == nil || !called.IsError) {
		return nil
	}
	e := result.Parse(called, err).Err
	var wire *jsonrpc.Error
	switch {
	case err == nil:
		attributes = append(attributes, errorType.String(toolError))
	case errors.As(err, &wire) && wire != nil:
		number := other
		if wire.Code >= minCode && wire.Code <= maxCode {
			number = strconv.FormatInt(wire.Code, 10)
		}
		if op.kind != trace.SpanKindServer || !slices.Contains(callersFault, wire.Code) {
			attributes = append(attributes, errorType.String(number))
		}
		attributes = append(attributes, statusCode.String(number))
	case e == nil || e.Code == toolerr.CodeInternal || !op.codes.knows(e.Code):
		attributes = append(attributes, errorType.String(other))
	default:
		attributes = append(attributes, errorType.String(string(e.Code)))
	}
	if op.method != methodCallTool || e == nil {
		return attributes
	}
	for _, a := range []struct {
		key   attribute.Key
		value string
		known bool
	}{
		{category, string(e.Category), e.Category == "" || slices.Contains(boundedCategories, e.Category)},
		{code, string(e.Code), e.Code == "" || op.codes.knows(e.Code)},
		{effect, string(e.Effect), e.Effect == "" || slices.Contains(boundedEffects, e.Effect)},
	} {
		if kv, ok := bounded(a.key, a.value, a.known); ok {
			attributes = append(attributes, kv)
		}
	}
	return append(attributes, retryable.Bool(e.Retryable))
}

// isStructured reports whether a result has passed through result.Middleware: it is a success, an
// envelope, or a protocol error.
func isStructured(res mcp.Result, err error) bool {
	if err != nil {
		wire, ok := err.(*jsonrpc.Error) //nolint:errorlint // only a direct one is a protocol error
		return ok && wire != nil && wire.Code != 0
	}
	called, ok := res.(*mcp.CallToolResult)
	if !ok {
		return res != nil // a result type of another middleware
	}
	if called == nil || !called.IsError {
		return called != nil
	}
	if len(called.Content) == 0 {
		return false
	}
	text, ok := called.Content[0].(*mcp.TextContent)
	return ok && strings.HasPrefix(text.Text, `{"isError":true,"`) // the order of the members is part of the format
}

// exists reports whether an answer shows that the server has the tool or prompt. A protocol error
// does not: the SDK's error for an unknown tool differs from others only in its text. Neither does
// a local error of the client.
func exists(res mcp.Result, err error, kind trace.SpanKind) bool {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return false
	}
	return err == nil && res != nil || kind == trace.SpanKindServer
}
