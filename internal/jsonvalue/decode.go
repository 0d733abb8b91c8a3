package jsonvalue

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxDepth is the maximum nesting depth of a value: the limit of encoding/json.
const maxDepth = 10_000

// decode decodes raw into v if v is an empty value of an open type, and reports whether it
// did. Everything else is left to encoding/json, which returns the error.
func decode(raw []byte, v any) bool {
	switch v := v.(type) {
	case *any:
		if v == nil || *v != nil {
			return false
		}
		decoded, ok := whole(raw)
		if ok {
			*v = decoded
		}
		return ok
	case *map[string]any:
		if v == nil || *v != nil {
			return false
		}
		decoded, ok := whole(raw)
		object, isObject := decoded.(map[string]any)
		if ok && isObject {
			*v = object
		}
		return ok && isObject
	}
	return false
}

func whole(raw []byte) (v any, ok bool) {
	d := decoder{text: string(raw)}
	v, ok = d.value(0)
	d.space()
	return v, ok && d.at == len(d.text)
}

// A decoder reads one JSON text. The strings that it returns share the text's memory.
type decoder struct {
	text string
	at   int
}

func (d *decoder) value(depth int) (v any, ok bool) {
	d.space()
	if d.at == len(d.text) || depth > maxDepth {
		return nil, false
	}
	switch c := d.text[d.at]; c {
	case '{':
		return d.object(depth + 1)
	case '[':
		return d.list(depth + 1)
	case '"':
		return d.quoted()
	case 't':
		return true, d.word("true")
	case 'f':
		return false, d.word("false")
	case 'n':
		return nil, d.word("null")
	}
	n := numberLength(d.text[d.at:])
	d.at += n
	return json.Number(d.text[d.at-n : d.at]), n > 0
}

func (d *decoder) object(depth int) (v any, ok bool) {
	object := map[string]any{}
	d.at++
	if d.space(); d.word("}") {
		return object, depth <= maxDepth
	}
	for {
		d.space()
		name, ok := d.quoted()
		if d.space(); !ok || !d.word(":") {
			return nil, false
		}
		if object[name], ok = d.value(depth); !ok {
			return nil, false
		}
		if d.space(); d.word("}") {
			return object, true
		}
		if !d.word(",") {
			return nil, false
		}
	}
}

func (d *decoder) list(depth int) (v any, ok bool) {
	list := []any{}
	d.at++
	if d.space(); d.word("]") {
		return list, depth <= maxDepth
	}
	for {
		item, ok := d.value(depth)
		if !ok {
			return nil, false
		}
		list = append(list, item)
		if d.space(); d.word("]") {
			return list, true
		}
		if !d.word(",") {
			return nil, false
		}
	}
}

// quoted reads a string. One with escapes or invalid UTF-8 is decoded by encoding/json.
func (d *decoder) quoted() (text string, ok bool) {
	if !d.word(`"`) {
		return "", false
	}
	from, isPlain := d.at, true
	for ; d.at < len(d.text); d.at++ {
		switch c := d.text[d.at]; {
		case c == '"':
			d.at++
			if text = d.text[from : d.at-1]; isPlain && utf8.ValidString(text) {
				return text, true
			}
			return unquoted(d.text[from-1 : d.at])
		case c == '\\':
			d.at++
			isPlain = false
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

func unquoted(literal string) (text string, ok bool) {
	err := json.Unmarshal([]byte(literal), &text)
	return text, err == nil
}

// word reads a literal word, and reports whether it is there.
func (d *decoder) word(word string) bool {
	if !strings.HasPrefix(d.text[d.at:], word) {
		return false
	}
	d.at += len(word)
	return true
}

func (d *decoder) space() {
	for d.at < len(d.text) && (d.text[d.at] == ' ' || d.text[d.at] == '\n' || d.text[d.at] == '\t' || d.text[d.at] == '\r') {
		d.at++
	}
}

// numberLength returns the length of the number at the beginning of a text (RFC 8259,
// section 6), or 0.
func numberLength(text string) int {
	digits := func(i int) int {
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		return i
	}
	is := func(i int, marks string) bool { return i < len(text) && strings.IndexByte(marks, text[i]) >= 0 }
	first := 0
	if is(0, "-") {
		first = 1
	}
	n := digits(first)
	if n == first || n > first+1 && text[first] == '0' {
		return 0
	}
	if is(n, ".") {
		end := digits(n + 1)
		if end == n+1 {
			return 0
		}
		n = end
	}
	if !is(n, "eE") {
		return n
	}
	from := n + 1
	if is(from, "+-") {
		from++
	}
	if n = digits(from); n == from {
		return 0
	}
	return n
}
