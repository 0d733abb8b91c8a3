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
// "": by the output schema or, if that has no such member, by a plural name.
func nullList(res *mcp.CallToolResult, output schema) (found string) {
	values := []any{plain(res.StructuredContent)}
	for _, text := range contentTexts(res) {
		if strings.TrimSpace(text) == "null" {
			return "the whole answer"
		}
		v, _ := jsonvalue.Decode([]byte(text[:min(len(text), maxDecoded)]))
		values = append(values, v)
	}
	leaves(values, "", func(path string, leaf any) {
		steps := strings.Split(strings.TrimPrefix(path, "[]"), ".")
		if leaf != nil || found != "" || strings.HasSuffix(path, "[]") {
			return
		}
		place, known := output, true
		for _, step := range steps[1:] {
			name := strings.TrimRight(step, "[]")
			if place, known = place.property(name); len(name) < len(step) {
				place = place.items()
			}
		}
		if known && slices.Contains(place.Types(), "array") || !known && isPlural(steps[len(steps)-1]) {
			found = strings.Join(steps[1:], ".")
		}
	})
	return found
}

var plurals = lazy(`(?i)^(?:items|results|entries|records|rows|matches|hits|list|data|[a-z_]*[a-z]{2}[^siu]s)$`)

// singulars are words that end like plurals.
var singulars = []string{"address", "status", "progress", "access", "success", "process", "details", "settings", "news", "canvas", "alias", "bias", "expires", "always", "previous", "has", "args", "props"}

// isPlural reports whether a member's name indicates a list.
func isPlural(name string) bool {
	lower := strings.ToLower(name)
	return plurals().MatchString(name) && !slices.ContainsFunc(singulars, func(s string) bool { return strings.HasSuffix(lower, s) })
}
