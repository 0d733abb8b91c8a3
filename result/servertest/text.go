package servertest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// lazy compiles an expression on first use, so that only programs that run a check pay for it.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// contentTexts returns the text blocks of a result.
func contentTexts(res *mcp.CallToolResult) (list []string) {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			list = append(list, t.Text)
		}
	}
	return list
}

// texts returns a result's texts and structured content.
func texts(res *mcp.CallToolResult) []string {
	list := contentTexts(res)
	if res.StructuredContent != nil {
		list = append(list, jsonOf(res.StructuredContent))
	}
	return list
}

// maxPath is the length, in bytes, beyond which a path starts over: otherwise, the paths of a deep
// value would be quadratic in its size. It is chosen because outputs nest only a few levels.
const maxPath = 1 << 10

// leaves calls f with the path and value of each part of a JSON value but objects and lists.
func leaves(v any, path string, f func(path string, leaf any)) {
	if len(path) > maxPath {
		path = ""
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			leaves(item, path+"[]", f)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			leaves(v[name], join(path, name), f)
		}
	default:
		f(path, v)
	}
}

// jsonOf returns a value as JSON text.
func jsonOf(v any) string {
	raw, err := jsonvalue.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// clip returns text as one printable line. Most is the maximum length in bytes.
func clip(text string, most int) string {
	return sanitize.Line(strings.Join(strings.Fields(text[:min(len(text), 8*most)]), " "), most)
}

var nameWords = lazy(`[A-Z]+[a-z]*|[a-z]+|[0-9]+`)

// wordsOf returns the words of a name, in lower case.
func wordsOf(name string) []string {
	words := nameWords().FindAllString(name, -1)
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

// hasWord reports whether one of the words of a name is in the list.
func hasWord(name string, list []string) bool {
	return slices.ContainsFunc(wordsOf(name), func(word string) bool { return slices.Contains(list, word) })
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
