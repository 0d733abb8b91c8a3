package evidence

import (
	"encoding/json"
	"strconv"
	"strings"
)

const (
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
