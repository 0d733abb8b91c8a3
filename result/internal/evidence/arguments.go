package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxLeaves is the maximum number of values that are compared. Tools have about ten arguments,
	// and lists have about a hundred items.
	maxLeaves = 2000
	// maxDepth limits the nesting of values that are compared. Errors name nothing deeper.
	maxDepth = 32
	// maxText is the maximum length, in bytes, of a text that is compared. A longer text is a
	// document, which errors name by its path.
	maxText = 64 << 10
)

// A leaf is a value in the arguments.
type leaf struct {
	text string // of a text or number
	kind byte   // as in [jsonvalue.Span]
	at   *step
	end  int64 // the offset after a scalar, or after the beginning of an object or list
}

// A step leads from a value to one of its members or items. A nil step stands for the arguments.
type step struct {
	up    *step
	name  string // of the member; an item has that of its list
	index int    // negative for a member
}

// path returns the path of a value, such as items[3].sku.
func (s *step) path() string {
	var parts []string
	for ; s != nil; s = s.up {
		switch {
		case s.index >= 0:
			parts = append(parts, "["+strconv.Itoa(s.index)+"]")
		case s.up != nil:
			parts = append(parts, "."+s.name)
		default:
			parts = append(parts, s.name)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

// read sets the leaves, in the order of the arguments.
func (a *Arguments) read() {
	if a.leaves != nil {
		return
	}
	r := reader{Scanner: jsonvalue.NewScanner(a.raw)}
	r.value(nil, 0)
	a.leaves = r.leaves
}

type reader struct {
	jsonvalue.Scanner

	leaves []leaf
}

// value reads one value and its contents.
func (r *reader) value(at *step, depth int) {
	l := leaf{kind: r.Kind(), at: at}
	from := r.Offset()
	if isOpen := l.kind == '{' || l.kind == '['; !isOpen || depth > maxDepth {
		v := r.Value()
		if l.end = int64(r.Offset()); !isOpen && r.Offset()-from <= maxText {
			l.text = r.text(v)
			r.inside(l.text, at, depth)
		}
		r.leaves = append(r.leaves, l)
		return
	}
	l.end = int64(from) + 1
	r.leaves = append(r.leaves, l)
	for i, more := 0, r.Open(); more && len(r.leaves) < maxLeaves; i, more = i+1, r.More(l.kind+2) {
		next := &step{up: at, index: i}
		if l.kind == '{' {
			next.name, _ = r.Text(r.Name())
			next.index = -1
		} else if at != nil {
			next.name = at.name
		}
		r.value(next, depth+1)
	}
}

// inside reads the JSON in a text, which a handler may decode.
func (r *reader) inside(text string, at *step, depth int) {
	if text == "" || text[0] != '{' && text[0] != '[' || !jsonvalue.Valid([]byte(text)) {
		return
	}
	inner := reader{Scanner: jsonvalue.NewScanner([]byte(text)), leaves: r.leaves}
	inner.value(at, depth+1)
	r.leaves = inner.leaves
}

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
