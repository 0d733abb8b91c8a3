package servertest

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// maxDecoded is how many bytes of JSON are searched for null. Chosen: a model cannot read
// larger answers.
const maxDecoded = 1 << 20

// nullList returns the path of the first null in a success that should be an empty list, or
// "".
func nullList(res *mcp.CallToolResult, output schema) string {
	if place := output.nullIn(res.StructuredContent, "", 0); place != "" {
		return place
	}
	for _, text := range contentTexts(res) {
		if strings.TrimSpace(text) == "null" {
			return "the whole answer"
		}
		v, _ := jsonvalue.Decode([]byte(text[:min(len(text), maxDecoded)]))
		if place := output.nullIn(v, "", 0); place != "" {
			return place
		}
	}
	return ""
}

// nullIn returns the path of the first null in v that should be a list: by the output
// schema or, if that has no such member, by a plural name.
func (s schema) nullIn(v any, place string, depth int) string {
	if depth > 8 {
		return ""
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			inner, known := s.property(name)
			at := join(place, name)
			if v[name] == nil && (known && slices.Contains(inner.Types(), "array") || !known && isPlural(name)) {
				return at
			}
			if found := inner.nullIn(v[name], at, depth+1); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range v[:min(len(v), 100)] {
			if found := s.items().nullIn(item, place+"[]", depth+1); found != "" {
				return found
			}
		}
	}
	return ""
}

var plurals = lazy(`(?i)^(?:items|results|entries|records|rows|matches|hits|list|data|[a-z_]*[a-z]{2}[^siu]s)$`)

// singulars are words that end like plurals.
var singulars = []string{"address", "status", "progress", "access", "success", "process", "details", "settings", "news", "canvas", "alias", "bias", "expires", "always", "previous", "has", "args", "props"}

// isPlural reports whether a member's name indicates a list.
func isPlural(name string) bool {
	lower := strings.ToLower(name)
	return plurals().MatchString(name) && !slices.ContainsFunc(singulars, func(s string) bool { return strings.HasSuffix(lower, s) })
}
