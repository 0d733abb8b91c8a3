package evidence

import (
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxLeaves is the maximum number of values that are compared. Tools have about ten arguments,
	// and lists have about a hundred items.
	maxLeaves = 2000
	// maxDepth and maxPath limit the nesting of values that are compared, and the bytes of their
	// paths. Errors name nothing deeper.
	maxDepth = 32
	maxPath  = 1 << 10
	// maxText is the maximum length, in bytes, of a text that is compared. A longer text is a
	// document, which errors name by its path.
	maxText = 64 << 10
)

// A leaf is a value in the arguments.
type leaf struct {
	text       string // of a text or number
	kind       byte   // as in [jsonvalue.Span]
	path, name string // such as items[3].sku and sku; an item has the name of its list
	end        int64  // the offset after a scalar, or after the beginning of an object or list
}

// read sets the leaves, in the order of the arguments.
func (a *Arguments) read() {
	if a.leaves != nil {
		return
	}
	r := reader{Scanner: jsonvalue.NewScanner(a.raw)}
	r.value("", "", 0)
	a.leaves = r.leaves
}

type reader struct {
	jsonvalue.Scanner

	leaves []leaf
}

// value reads one value and its contents.
func (r *reader) value(path, name string, depth int) {
	l := leaf{kind: r.Kind(), path: path, name: name}
	from := r.Offset()
	if isOpen := l.kind == '{' || l.kind == '['; !isOpen || depth > maxDepth || len(path) > maxPath {
		v := r.Value()
		if l.end = int64(r.Offset()); !isOpen && r.Offset()-from <= maxText {
			l.text = r.text(v)
			r.inside(&l, depth)
		}
		r.leaves = append(r.leaves, l)
		return
	}
	l.end = int64(from) + 1
	r.leaves = append(r.leaves, l)
	for i, more := 0, r.Open(); more && len(r.leaves) < maxLeaves; i, more = i+1, r.More(l.kind+2) {
		at := path + "[" + strconv.Itoa(i) + "]"
		if l.kind == '{' {
			if name, _ = r.Text(r.Name()); depth == 0 {
				at = name
			} else {
				at = path + "." + name
			}
		}
		r.value(at, name, depth+1)
	}
}

// inside reads the JSON in a text, which a handler may decode.
func (r *reader) inside(l *leaf, depth int) {
	if l.kind == '"' && isJSON(l.text) && jsonvalue.Valid([]byte(l.text)) {
		inner := reader{Scanner: jsonvalue.NewScanner([]byte(l.text)), leaves: r.leaves}
		inner.value(l.path, l.name, depth+1)
		r.leaves = inner.leaves
	}
}

// isJSON reports whether a text begins like an object or a list.
func isJSON(text string) bool { return text != "" && (text[0] == '{' || text[0] == '[') }

// text returns the text of a string or number, or "".
func (r *reader) text(v jsonvalue.Span) string {
	switch v.Kind {
	case '"':
		text, _ := r.Text(v)
		return strings.TrimSpace(text)
	case '0':
		n, _ := r.Number(v)
		return string(n)
	}
	return ""
}
