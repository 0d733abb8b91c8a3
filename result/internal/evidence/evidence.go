// Package evidence finds the argument of a tool call that an error names.
//
// Only errors of the types in table.go count, and the rejections of services on a statement, whose
// text is searched for what it names (rejection.go). Names may be spelled differently in the
// arguments: match.go holds the spellings. Other texts are not searched.
package evidence

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

const (
	// budget is the maximum number of bytes of names and arguments that are compared for one call.
	// Comparing them takes a few milliseconds; ten arguments need a thousandth of that.
	budget = 1 << 20
	// perError is what reading an error's names costs, in bytes of the budget.
	perError = 64
)

// Arguments are the arguments of one call, read on first use. The zero value holds none. They are not
// safe for concurrent use.
type Arguments struct {
	Raw    json.RawMessage // a JSON object or empty
	leaves []leaf          // nil until they are read
	spent  int             // of the budget
}

// Blame is for [classify.Blame]. It searches the arguments for what a rejection names, then for the
// names in the last error of the chain and in the errors around it. An error that names something
// else is the tool's fault, as are all errors once the budget is spent. Part is what the error names in
// the argument at fault, or empty if that is all of the argument.
func (a *Arguments) Blame(chain []error, rejection string) (field, part string, fault classify.Fault) {
	if rejection != "" {
		if l, name := a.rejected(rejection); l != nil {
			return l.path, l.part(name), classify.Callers
		}
	}
	for _, err := range slices.Backward(chain) {
		if a.spent += perError; a.spent > budget {
			return "", "", classify.Own
		}
		for _, read := range rows {
			name, spellings, named := read(err)
			if !named {
				continue
			}
			if fault = classify.Own; len(name) > maxText {
				continue
			}
			if l := a.find(spellings, len(name)); l != nil {
				return l.path, l.part(name), classify.Callers
			}
		}
	}
	return "", "", fault
}

// part returns the name if it is a part of the argument and no secret, otherwise "".
func (l *leaf) part(name string) string {
	shown := strings.ToLower(redact.Mask(l.path + "=" + l.text))
	if l.kind == "string" && !strings.EqualFold(name, l.text) && strings.Contains(shown, strings.ToLower(name)) {
		return name
	}
	return ""
}

// find returns the first argument that matches one of the spellings, tried in order, or nil; n is
// the length of the name in bytes.
func (a *Arguments) find(spellings []spelling, n int) *leaf {
	a.read()
	for _, is := range spellings {
		for i := range a.leaves {
			l := &a.leaves[i]
			if a.spent += 1 + len(l.text) + n; a.spent > budget {
				return nil
			}
			if is(l) {
				return l
			}
		}
	}
	return nil
}
