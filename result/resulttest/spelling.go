package resulttest

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// compareSpellings adds a violation to each answer whose failure spells a member differently
// from most tools. Missing members are not compared, because most are optional.
func compareSpellings(answers []*answer) {
	for r := range roles {
		tools := map[string][]string{} // by spelling
		for _, a := range answers {
			spelling := a.spelling(role(r))
			if spelling != "" && !slices.Contains(tools[spelling], a.tool) {
				tools[spelling] = append(tools[spelling], a.tool)
			}
		}
		usual := usualSpelling(tools, roles[r].spellings[0])
		for _, a := range answers {
			spelling := a.spelling(role(r))
			if spelling == "" || spelling == usual || a.has(KindOtherShape) {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(tools[usual]), func(tool string) bool { return tool == a.tool })
			where := "in its other failures"
			if len(others) > 0 {
				where = "in " + clip(strings.Join(others, ", "), 120)
			}
			a.add(KindOtherShape, "%s is %s here, but %s %s", roles[r].name, spelling, usual, where)
		}
	}
}

// spelling returns the path and type of a role's member in an answer's failure. It is empty
// if there is none, or if its type is another finding.
func (a *answer) spelling(r role) string {
	if a.failure == nil {
		return ""
	}
	m := a.failure.get(r)
	kind := jsonvalue.TypeOf(m.value)
	if m.path == "" || r == roleCategory && kind != "string" || r == roleRetryable && kind != "boolean" {
		return ""
	}
	return m.path + " (" + kind + ")"
}

// usualSpelling returns the spelling that most tools use; if equal, the envelope's own.
func usualSpelling(tools map[string][]string, own string) string {
	usual := ""
	for _, s := range slices.Sorted(maps.Keys(tools)) {
		isOwn := strings.HasPrefix(s, own+" ") && !strings.HasPrefix(usual, own+" ")
		if more := len(tools[s]) - len(tools[usual]); more > 0 || more == 0 && isOwn {
			usual = s
		}
	}
	return usual
}
