package resulttest

import (
	"fmt"
	"slices"
	"strings"
)

// compareShapes adds to each answer what its failure names otherwise than the
// failures of the other tools do. A role that a failure leaves out says nothing:
// most members are optional.
func compareShapes(answers []*answer) {
	for _, s := range spellings {
		tools := map[string][]string{} // by shape
		for _, a := range answers {
			shape := a.shape(s.role)
			if shape != "" && !slices.Contains(tools[shape], a.tool) {
				tools[shape] = append(tools[shape], a.tool)
			}
		}
		usual := usualShape(tools, s.names[0])
		for _, a := range answers {
			shape := a.shape(s.role)
			if shape == "" || shape == usual || a.has(KindOtherShape) {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(tools[usual]), func(tool string) bool { return tool == a.tool })
			where := "in others of its own failures"
			if len(others) > 0 {
				where = "in " + clip(strings.Join(others, ", "), 120)
			}
			a.wrong = append(a.wrong, wrong{KindOtherShape, fmt.Sprintf("%s is %s here, and %s %s", s.role, shape, usual, where)})
		}
	}
}

// shape is how an answer's failure has a role, or nothing.
func (a *answer) shape(r role) string {
	if a.failure == nil {
		return ""
	}
	m, has := a.failure.found[r]
	if !has || r == roleCategory && m.kind != "string" || r == roleRetryable && m.kind != "boolean" {
		return "" // the latter is a finding already
	}
	return m.path + " (" + m.kind + ")"
}

// usualShape is the one that most tools have; among equals the envelope's own.
func usualShape(tools map[string][]string, own string) string {
	usual := ""
	for shape, list := range tools {
		better := len(list) - len(tools[usual])
		isOwn, usualIsOwn := strings.HasPrefix(shape, own+" "), strings.HasPrefix(usual, own+" ")
		if usual == "" || better > 0 || better == 0 && (isOwn && !usualIsOwn || isOwn == usualIsOwn && shape < usual) {
			usual = shape
		}
	}
	return usual
}
