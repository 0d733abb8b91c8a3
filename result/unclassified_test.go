package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// wordsSchema is the input schema of the tool.
const wordsSchema = `{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"after":{"type":"string"},"page":{"type":"integer"},
	"color":{"type":"string"},"issue_number":{"type":"integer"},"query":{"type":"string"},"path":{"type":"string"},"startLine":{"type":"integer"}}}`

// Text that is not understood sets no category. Text that names or quotes an argument is about
// the arguments. Results and revealed errors are read in the same way.
func TestMiddleware_UnclassifiedWords(t *testing.T) {
	t.Parallel()
	const read = "Read the message to decide what to do next."
	for name, test := range map[string]struct {
		words, arguments string
		category         toolerr.Category
		code             toolerr.Code
		field, hint      string
	}{
		"nothing known":            {words: "The moon is in the way.", hint: read},
		"a word that is a name":    {words: "The query ended early: the path is grey.", hint: read},
		"arguments named":          {words: "This tool uses cursor-based pagination. Use the 'after' parameter with the 'endCursor' value instead of 'page'.", arguments: `{"page":2}`, category: "validation", code: "invalid_argument", field: "page", hint: "Read the message, which names a next step"},
		"several, none sent":       {words: "Use 'after' in place of 'page'.", category: "validation", code: "invalid_argument", hint: "Read the message, which names a next step"},
		"one that is lacking":      {words: "color is required for create", arguments: `{"owner":"a"}`, category: "validation", code: "missing_argument", field: "color", hint: "Add the missing"},
		"a coined name":            {words: "issue_number has no comments", category: "validation", code: "invalid_argument", field: "issue_number", hint: "Correct the argument"},
		"camel case":               {words: "startLine comes after the end", category: "validation", code: "invalid_argument", field: "startLine", hint: "Correct the argument"},
		"a parameter":              {words: "nothing to do without parameter owner", category: "validation", code: "invalid_argument", field: "owner", hint: "Correct the argument"},
		"a value":                  {words: `Nobody knows "acme" over there`, arguments: `{"owner":"acme"}`, category: "validation", field: "owner", hint: read},
		"values together":          {words: "Could not resolve to a Repository with the name 'acme/shop'.", arguments: `{"owner":"acme","repo":"shop"}`, category: "validation", code: "not_found", field: "repo", hint: "Check the name"},
		"a telling value":          {words: "src/main.go has no line 40", arguments: `{"path":"src/main.go"}`, category: "validation", field: "path", hint: read},
		"a value of nobody's":      {words: "The moon hides 'other/shop'.", arguments: `{"owner":"acme","repo":"shop"}`, hint: read},
		"a value that is a word":   {words: "The moon is in the way.", arguments: `{"query":"moon"}`, hint: read},
		"a value in a broken tool": {words: `The worker for "acme" crashed`, arguments: `{"owner":"acme"}`, hint: read},
		"a value without access":   {words: `Your account lacks privileges for "acme"`, arguments: `{"owner":"acme"}`, category: "permission", code: "permission_denied", hint: "Do not retry"},
		"members of JSON":          {words: `the board said {"path": "x", "color":"red"}`, hint: read},
		"words that are known":     {words: "no permission: access denied", category: "permission", code: "permission_denied", hint: "Do not retry"},
		"known, with a field":      {words: "issue_number must be positive", category: "validation", code: "invalid_argument", field: "issue_number", hint: "Correct the argument"},
		"no object":                {words: "The moon is in the way.", arguments: `[]`, hint: read},
	} {
		for _, way := range []string{"result", "error"} {
			session := speaking(t, wordsSchema, test.words, way == "error")
			arguments := test.arguments
			if arguments == "" {
				arguments = "{}"
			}
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(arguments)}))
			require.NotNil(t, out.Err, name)
			assert.Equal(t, test.words, out.Err.Message, "%s, %s", name, way)
			assert.Equal(t, fmt.Sprint(test.category, " ", test.code, " ", test.field), fmt.Sprint(out.Err.Category, " ", out.Err.Code, " ", out.Err.Field), "%s, %s", name, way)
			assert.True(t, strings.HasPrefix(out.Err.Hint, test.hint), "%s, %s: %s", name, way, out.Err.Hint)
			assert.Empty(t, out.Err.Effect, "%s, %s", name, way)
			assert.False(t, out.Err.Retryable, "%s, %s", name, way)
			assert.Len(t, out.Result.Content, 1, "%s, %s", name, way)
		}
	}
}

// A failure as plain text is logged as a warning, with advice once for each tool and kind.
func TestMiddleware_AdviceOnWords(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	words := ""
	session := answering(t, &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))}, nil, func() *mcp.CallToolResult {
		return &mcp.CallToolResult{IsError: true, Content: text(words)}
	})
	for _, words = range []string{"The moon is in the way.", "user 17 not found", "The sun is too.", "user 18 not found"} {
		_ = callT(t, session)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 4)
	for i, line := range lines {
		assert.Contains(t, line, "level=WARN")
		assert.Equal(t, i < 2, strings.Contains(line, "return an error made with toolerr."), line)
	}
	assert.Contains(t, lines[0], "toolerr.Business, Validation, Permission or Transient")
	assert.Contains(t, lines[1], "toolerr.NotFound")
}

// The type of an error takes precedence over its text. The text is read only if the error has no
// known type.
func TestReveal_Types(t *testing.T) {
	t.Parallel()
	var err error
	opts := quiet()
	opts.Reveal = result.RevealAll
	session := failing(t, opts, func(context.Context) error { return err })
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"known by type":          {context.DeadlineExceeded, "transient timeout"},
		"words alone":            {errors.New("invalid date format"), "validation invalid_argument"},
		"words, wrapped":         {fmt.Errorf("booking: %w", errors.New("invalid date format")), "validation invalid_argument"},
		"words, joined":          {errors.Join(errors.New("invalid date format"), errors.New("no seat")), "validation invalid_argument"},
		"a type of its own":      {ownError{"invalid date format"}, " "},
		"one that is throttled":  {ownError{"too many requests were made"}, "transient rate_limited"},
		"words beside that type": {fmt.Errorf("invalid date format: %w", ownError{"x"}), " "},
	} {
		err = test.err
		e := callT(t, session)
		assert.Equal(t, test.want, fmt.Sprint(e.Category, " ", e.Code), name)
		assert.Equal(t, test.err.Error(), e.Message, name)
		assert.False(t, e.Retryable, name)
	}
}

type ownError struct{ text string }

func (e ownError) Error() string { return e.text }
