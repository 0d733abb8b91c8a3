package resulttest

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// contentTexts returns the text blocks of a result.
func contentTexts(res *mcp.CallToolResult) (list []string) {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			list = append(list, t.Text)
		}
	}
	return list
}

// texts returns all texts of a result that a client may show.
func texts(res *mcp.CallToolResult) []string {
	list := contentTexts(res)
	if res.StructuredContent != nil {
		list = append(list, jsonOf(res.StructuredContent))
	}
	return list
}

// textsIn appends the strings in a JSON value to list, without member names.
func textsIn(list []string, v any) []string {
	switch v := v.(type) {
	case string:
		list = append(list, v)
	case []any:
		for _, item := range v {
			list = textsIn(list, item)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			list = textsIn(list, v[name])
		}
	}
	return list
}

// jsonOf returns a value as JSON text.
func jsonOf(v any) string {
	raw, err := jsonvalue.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// clip returns text as one printable line of at most most characters.
func clip(text string, most int) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), 8*most)], "?")), " ")
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, line))
	if len(letters) > most {
		return string(letters[:most-3]) + "..."
	}
	return string(letters)
}
