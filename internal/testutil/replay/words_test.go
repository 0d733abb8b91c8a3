package replay_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// sentenceEnd matches the end of a part that must be kept whole.
var sentenceEnd = regexp.MustCompile(`\n+|[.!?]\s+`)

// plain returns a text without what sanitizing may change: control characters and repeated spaces.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// sentences returns the parts of a text that must be kept.
func sentences(text string) []string {
	var all []string
	for _, s := range sentenceEnd.Split(text, -1) {
		if s = strings.TrimRight(plain(s), ".!?:"); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// leaves returns the texts and numbers in a JSON value.
func leaves(value any) []string {
	var all []string
	switch v := value.(type) {
	case string:
		return []string{v}
	case json.Number:
		return []string{v.String()}
	case []any:
		for _, item := range v {
			all = append(all, leaves(item)...)
		}
	case map[string]any:
		for _, item := range v {
			all = append(all, leaves(item)...)
		}
	}
	return all
}

// object decodes a text that is a JSON object as a whole.
func object(text string) (map[string]any, bool) {
	var m map[string]any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return m, dec.Decode(&m) == nil && m != nil && !dec.More()
}

// said returns the author's content of a result in the parts that must be kept, and the
// number of blocks that are not text.
func said(t *testing.T, res *mcp.CallToolResult) (parts []string, others int) {
	t.Helper()
	for _, c := range res.Content {
		text, ok := c.(*mcp.TextContent)
		if !ok {
			others++
			continue
		}
		if m, ok := object(text.Text); ok {
			for _, leaf := range leaves(m) {
				parts = append(parts, sentences(leaf)...)
			}
			continue
		}
		parts = append(parts, sentences(text.Text)...)
	}
	if res.StructuredContent != nil {
		raw, err := json.Marshal(res.StructuredContent)
		require.NoError(t, err)
		m, _ := object(string(raw))
		for _, leaf := range leaves(m) {
			parts = append(parts, sentences(leaf)...)
		}
	}
	return parts, others
}

// lost returns the author's content of before that is missing in after.
func lost(t *testing.T, before, after *mcp.CallToolResult) []string {
	t.Helper()
	var seen strings.Builder
	others := 0
	for _, c := range after.Content {
		text, ok := c.(*mcp.TextContent)
		if !ok {
			others++
			continue
		}
		m, isObject := object(text.Text)
		if _, ours := m["message"]; !ours {
			seen.WriteString(plain(text.Text) + "\n")
		}
		if isObject {
			delete(m, "hint") // ours
			for _, leaf := range leaves(m) {
				seen.WriteString(plain(leaf) + "\n")
			}
		}
	}
	var missing []string
	parts, otherBefore := said(t, before)
	for _, part := range parts {
		if !strings.Contains(seen.String(), part) {
			missing = append(missing, part)
		}
	}
	if others < otherBefore {
		missing = append(missing, fmt.Sprintf("%d blocks that are no text", otherBefore-others))
	}
	return missing
}

func TestLost(t *testing.T) {
	text := func(texts ...string) *mcp.CallToolResult {
		res := new(mcp.CallToolResult)
		for _, text := range texts {
			res.Content = append(res.Content, &mcp.TextContent{Text: text})
		}
		return res
	}
	tests := map[string]struct {
		before, after *mcp.CallToolResult
		want          []string
	}{
		"kept in the message": {
			text("No such file. Use list."),
			text(`{"isError":true,"message":"No such file. Use list."}`), nil,
		},
		"a sentence is gone": {
			text("No such file. Use list."), text(`{"isError":true,"message":"No such file."}`),
			[]string{"Use list"},
		},
		"only in our hint": {
			text("Use list."), text(`{"message":"The tool failed.","hint":"Use list."}`),
			[]string{"Use list"},
		},
		"kept in a block":     {text("One.", "Two."), text(`{"message":"One."}`, "Two."), nil},
		"a block is gone":     {text("One.", "Two."), text(`{"message":"One."}`), []string{"Two"}},
		"a member in details": {text(`{"error":"bad","line":7}`), text(`{"message":"bad","details":{"line":7}}`), nil},
		"a member is gone":    {text(`{"error":"bad","line":7}`), text(`{"message":"bad"}`), []string{"7"}},
		"control characters":  {text("a\x00b\tc"), text(`{"message":"ab c"}`), nil},
		"an image is gone": {
			&mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{}}}, text("x"),
			[]string{"1 blocks that are no text"},
		},
		"structured is gone":    {&mcp.CallToolResult{StructuredContent: map[string]any{"a": "b"}}, text("x"), []string{"b"}},
		"the tail of a line":    {text("head and tail"), text(`{"message":"head and…"}`), []string{"head and tail"}},
		"quotes in an envelope": {text(`near "x"`), text(`{"message":"near \"x\""}`), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, lost(t, tt.before, tt.after)) })
	}
}
