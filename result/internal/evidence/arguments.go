package evidence

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxLeaves is how many values and names are examined. Chosen: tools have some ten
	// arguments, and lists of a hundred items.
	maxLeaves = 2000
	// maxDepth is how many levels of values are examined. Chosen: errors are not about
	// deeper values.
	maxDepth = 32
	// maxText is how many bytes of a text are searched for names. Chosen: a longer text is
	// a document, which errors name by its path.
	maxText = 64 << 10
	// maxParsed is the length in bytes up to which a text is parsed again. Chosen: it takes
	// some ten milliseconds.
	maxParsed = 1 << 20
)

// A leaf is a text or number in the arguments, or the name of a member.
type leaf struct {
	text   string
	number bool
	at     *step
}

// path returns the path of the leaf, such as items[3].sku.
func (l *leaf) path() string { return l.at.path() }

// name returns the name of the innermost member that contains the leaf.
func (l *leaf) name() string {
	for at := l.at; at != nil; at = at.up {
		if at.index < 0 {
			return at.name
		}
	}
	return ""
}

// A step leads from a value to one of its members or items. Nil stands for the whole
// arguments.
type step struct {
	up    *step
	name  string
	index int // negative for a member
	depth int
}

func (s *step) member(name string) *step {
	return &step{up: s, name: name, index: -1, depth: s.level() + 1}
}

func (s *step) item(i int) *step { return &step{up: s, index: i, depth: s.level() + 1} }

func (s *step) level() int {
	if s == nil {
		return 0
	}
	return s.depth
}

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
	var b strings.Builder
	for _, part := range slices.Backward(parts) {
		b.WriteString(part)
	}
	return b.String()
}

// decode sets the leaves, in the order of the arguments.
func (a *Arguments) decode() {
	if a.decoded {
		return
	}
	a.decoded = true
	if a.raw == nil {
		return
	}
	walk(a.raw, func(v value) bool {
		if v.at != nil && v.at.index < 0 {
			a.names = append(a.names, leaf{text: v.at.name, at: v.at})
		}
		switch token := v.token.(type) {
		case string:
			a.leaves = append(a.leaves, leaf{text: token, at: v.at})
		case json.Number:
			a.leaves = append(a.leaves, leaf{text: string(token), number: true, at: v.at})
		}
		return len(a.leaves)+len(a.names) < maxLeaves
	})
}

// A value is a value in a JSON text: a text, a number, true, false or nil, or the opening
// delimiter of an object or list.
type value struct {
	token json.Token
	at    *step
	end   int64 // the offset after the token
}

// walk calls f with the values of a JSON text until f returns false.
func walk(raw []byte, f func(value) bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	w := &walker{decoder: d, f: f}
	w.value(nil)
}

type walker struct {
	decoder *json.Decoder
	f       func(value) bool
}

// value reads one value, and reports whether to continue.
func (w *walker) value(at *step) bool {
	token, err := w.decoder.Token()
	if err != nil || !w.f(value{token, at, w.decoder.InputOffset()}) {
		return false
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return true
	}
	if at.level() >= maxDepth {
		return w.skip()
	}
	for i := 0; w.decoder.More(); i++ {
		next := at.item(i)
		if delim == '{' {
			token, err := w.decoder.Token()
			name, ok := token.(string)
			if err != nil || !ok {
				return false
			}
			next = at.member(name)
		}
		if !w.value(next) {
			return false
		}
	}
	_, err = w.decoder.Token() // the closing delimiter
	return err == nil
}

// skip reads the rest of an object or list, and reports whether it is complete.
func (w *walker) skip() bool {
	for open := 1; open > 0; {
		token, err := w.decoder.Token()
		if err != nil {
			return false
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	return true
}
