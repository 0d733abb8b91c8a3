package jsonvalue

import "encoding/json"

// maxDepth is the maximum nesting depth of a value: the limit of encoding/json.
const maxDepth = 10_000

// decode sets v to the value of raw if v has an open type and is empty, and reports whether
// it has. Otherwise encoding/json decodes raw, or reports why it cannot.
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

// whole returns the value of a JSON text. Its strings are parts of one copy of the text.
func whole(raw []byte) (v any, ok bool) {
	s := Scanner{data: raw, whole: string(raw)}
	v = s.plain()
	return v, s.Done()
}

// plain passes a value and returns it as Go's plain types, numbers as [json.Number].
func (s *Scanner) plain() any {
	switch s.Kind() {
	case '{':
		object := map[string]any{}
		for more := s.Open(); more; more = s.More('}') {
			name, _ := s.Text(s.Name())
			object[name] = s.plain()
		}
		return object
	case '[':
		list := []any{}
		for more := s.Open(); more; more = s.More(']') {
			list = append(list, s.plain())
		}
		return list
	}
	v := s.Value()
	switch v.Kind {
	case '"':
		text, _ := s.Text(v)
		return text
	case '0':
		return json.Number(s.part(v.from, v.to))
	case 't', 'f':
		return v.Kind == 't'
	}
	return nil
}
