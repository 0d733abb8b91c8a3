// Package evidence finds the argument of a tool call that an error names.
//
// Only errors of the types in table.go count, and the rejections of services on a statement, whose
// text is searched for what it names (rejection.go). Names may be spelled differently in the
// arguments: match.go holds the spellings. Other texts are not searched.
package evidence

import (
	"encoding/json"
	"slices"
	"strconv"
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
	// maxLeaves is the maximum number of values that are compared. Tools have about ten arguments,
	// and lists have about a hundred items.
	maxLeaves = 2000
	// maxPath is the maximum length, in bytes, of the path to a value in which others are compared.
	// Errors name nothing deeper.
	maxPath = 256
	// maxText is the maximum length, in bytes, of a text that is compared. A longer text is a
	// document, which errors name by its path.
	maxText = 64 << 10
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

// A leaf is a value in the arguments.
type leaf struct {
	text       string // of a text or number
	kind       string // as in a [*json.UnmarshalTypeError]; empty for null
	path, name string // such as items[3].sku and sku; an item has the name of its list
	end        int64  // the offset after a scalar, or after the beginning of an object or list
}

// read sets the leaves, in the order of the arguments.
func (a *Arguments) read() {
	if a.leaves == nil {
		a.leaves = appendValue([]leaf{}, decoder(string(a.Raw)), leaf{})
	}
}

// At returns the path, the kind and the text of the argument to which the longest part of a path leads, in any
// case and with or without brackets, and the rest of the path. The kind is empty if there is none.
func (a *Arguments) At(path string) (field, kind, text, rest string) {
	a.read()
	path = folded(path)
	longest := 0
	for _, l := range a.leaves {
		if is := folded(l.path); len(is) > longest && strings.HasPrefix(path, is) {
			field, kind, text, longest = l.path, l.kind, l.text, len(is)
		}
	}
	return field, kind, text, path[longest:]
}

var toFold = strings.NewReplacer("[", ".", "]", "", "_", "")

// folded returns a path in lower case, with periods alone, and one at its end.
func folded(path string) string { return strings.ToLower(toFold.Replace(path)) + "." }

func decoder(text string) *json.Decoder {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d
}

// appendValue appends the decoder's next value, which is at l, and what is in it.
func appendValue(leaves []leaf, d *json.Decoder, l leaf) []leaf {
	if len(l.path) > maxPath {
		_ = d.Decode(new(json.RawMessage)) // after an error, the decoder returns no more values
		return leaves
	}
	token, _ := d.Token()
	l.end = d.InputOffset()
	switch v := token.(type) {
	case json.Delim:
		l.kind = map[json.Delim]string{'{': "object", '[': "array"}[v]
	case string:
		l.kind, l.text = "string", strings.TrimSpace(v)
	case json.Number:
		l.kind, l.text = "number", v.String()
	case bool:
		l.kind = "bool"
	}
	if len(l.text)+len(`""`) > maxText {
		l.text = ""
	}
	if isJSON(l.text) && json.Valid([]byte(l.text)) { // which a handler may decode
		leaves = appendValue(leaves, decoder(l.text), leaf{path: l.path, name: l.name})
	}
	leaves = append(leaves, l)
	if l.kind != "object" && l.kind != "array" {
		return leaves
	}
	for i := 0; d.More() && len(leaves) < maxLeaves; i++ {
		inner := leaf{path: l.path + "[" + strconv.Itoa(i) + "]", name: l.name}
		if l.kind == "object" {
			name, _ := d.Token()
			inner.name, _ = name.(string)
			inner.path = strings.TrimPrefix(l.path+"."+inner.name, ".")
		}
		leaves = appendValue(leaves, d, inner)
	}
	_, _ = d.Token() // the end
	return leaves
}

// isJSON reports whether a text begins like an object or a list.
func isJSON(text string) bool { return text != "" && (text[0] == '{' || text[0] == '[') }
