package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func wireResult(t *testing.T, text string) *mcp.CallToolResult {
	t.Helper()
	var r mcp.CallToolResult
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	return &r
}

func TestOutcome_Zero(t *testing.T) {
	t.Parallel()
	var o result.Outcome
	require.Error(t, o.AsError())
	_, err := result.Decode[string](o)
	require.Error(t, err)
	assert.True(t, o.CallToolResult().IsError)
	o.Kind = result.KindData
	assert.Equal(t, text("The call succeeded; its answer has no text."), o.CallToolResult().Content)
	var words []string
	for kind := result.Kind(-1); kind <= 6; kind++ {
		words = append(words, kind.String())
		read := result.KindData
		assert.Equal(t, kind >= 0 && kind < 6, read.UnmarshalText([]byte(kind.String())) == nil && read == kind)
	}
	assert.Equal(t, "none none data empty partial failure input_required none", strings.Join(words, " "))
}

// TestParse_Outcomes checks all that programs get of a result or an error.
func TestParse_Outcomes(t *testing.T) {
	t.Parallel()
	errs := map[string]error{"EOF": io.EOF, "deadline": context.DeadlineExceeded, "nothing": nil}
	testutil.Recorded(t, "testdata/outcomes.txt", func(sample string) string {
		err, isError := errs[sample]
		var res *mcp.CallToolResult
		if !isError {
			res = wireResult(t, sample)
		} else if err != nil {
			res = flagged(withStructured(nil, new(mcp.ImageContent)))
		}
		out := result.Parse(res, err)
		require.True(t, err == nil || errors.Is(out.AsError(), err))
		return fmt.Sprintf("%v: %s\n%v\n%s\n%s\n%s, %s, %s, %s, %s", out.Kind, testutil.Fields(out.Err), out.LogValue(),
			out.Text(), testutil.JSON(out.CallToolResult()),
			decoded[row](out), decoded[*row](out), decoded[[]row](out), decoded[toolerr.Error](out), decoded[string](out))
	})
}

type row struct {
	Number int64 `json:"id,omitempty"`
	Name   string
}

// decoded returns the data as a T in JSON, or the error.
func decoded[T any](out result.Outcome) string {
	v, err := result.Decode[T](out)
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return testutil.JSON(v)
	case errors.As(err, &mismatch):
		return strings.TrimSuffix(err.Error(), mismatch.Error()) // its words change with the version of Go
	case errors.Is(err, out.AsError()):
		return "its failure"
	}
	return err.Error()
}

func TestParse_RoundTrip(t *testing.T) {
	t.Parallel()
	e := toolerr.Transient("m").WithCode("c").WithHint("h").WithRetryAfter(time.Second).WithEffect(toolerr.EffectNone).
		WithDetails(map[string]any{"a": []any{1.5, "x"}}).WithCorrelationID("id")
	out := result.Parse(result.Failure(e), nil)
	assert.Equal(t, string(e.AppendJSON(nil)), out.Text())
	assert.Equal(t, e.Details, out.Err.Details)
	for name, value := range map[string]any{
		"object": map[string]any{"n": 1.0}, "list": []any{"a"}, "number": 5.0, "string": "words",
	} {
		out := result.Parse(result.OK(value), nil)
		require.Equal(t, result.KindData, out.Kind, name)
		got, err := result.Decode[any](out)
		if name == "string" {
			got, err = result.Decode[string](out)
		}
		require.NoError(t, err, name)
		assert.Equal(t, value, got, name)
	}
	assert.Equal(t, text("Done."), result.OK(nil).Content)
	assert.Equal(t, text("Nothing was found."), result.Empty("", nil).Content)
	assert.Equal(t, "<&>", result.Parse(result.OK("<&>"), nil).Text())
}

// reads returns category, code, retryability and effect of a failure as read by Parse.
func reads(e *toolerr.Error) string {
	if e == nil {
		return "no failure"
	}
	s := fmt.Sprintf("%s %s", e.Category, e.Code)
	if e.Retryable {
		s += " retryable"
	}
	if e.RetryAfter > 0 {
		s += " " + e.RetryAfter.String()
	}
	if e.Effect != "" {
		s += " " + string(e.Effect)
	}
	return s
}
