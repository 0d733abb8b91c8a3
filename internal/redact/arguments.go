package redact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// Arguments returns a copy of a call's arguments with secrets masked, or nil if they are
// not a JSON object. The following is masked: members whose name is that of a secret, or
// that secret reports if it is not nil; the values of name-value pairs with such a name,
// such as headers; passwords in a list of a program's arguments; and in texts what [Find]
// finds. The program of a list or a text may be another
// member of the same object. A text that is JSON is masked as JSON. Numbers have the type
// [encoding/json.Number], so that identifiers over 2^53 are unchanged.
func Arguments(arguments any, secret func(name string) bool) map[string]any {
	raw, err := jsonvalue.Marshal(arguments)
	if err != nil {
		return nil
	}
	object, _ := jsonvalue.Object(string(raw))
	masker(secret).object(object)
	return object
}

// A masker masks secrets in decoded JSON in place. It reports names of secrets in addition
// to the known ones, and may be nil.
type masker func(name string) bool

func (m masker) object(object map[string]any) {
	for member, v := range object {
		if name, ok := v.(string); ok && pairNames[strings.ToLower(member)] {
			m.pair(object, name)
		}
	}
	if _, has := object["data"]; has && object["kind"] == "Secret" { // of Kubernetes
		object["data"] = masked
	}
	var program command
	for _, v := range object {
		if name, ok := v.(string); ok && len(name) <= maxName {
			program.readPath(name)
		}
	}
	for name, v := range object {
		if m.isSecret(name, v) {
			object[name] = masked
			continue
		}
		object[name] = m.value(v, program)
	}
	for name, v := range object { // a name may be a secret
		if clean := Mask(name); clean != name {
			delete(object, name)
			object[clean] = v
		}
	}
}

// pair masks the values in an object that is a name-value pair with this name.
func (m masker) pair(object map[string]any, name string) {
	for member, v := range object {
		if pairValues[strings.ToLower(member)] && v != nil && m.isSecret(name, v) {
			object[member] = masked
		}
	}
}

// value returns a value without its secrets, masked in place. It may be the arguments of a
// program.
func (m masker) value(v any, program command) any {
	switch v := v.(type) {
	case map[string]any:
		m.object(v)
	case []any:
		m.list(v, program)
	case string:
		return m.text(v, program)
	}
	return v
}

// list masks the items of a list. Two texts may be a name and its value, and a flag is
// followed by its value.
func (m masker) list(list []any, program command) {
	for i, item := range list {
		name, isText := item.(string)
		list[i] = m.value(item, program)
		if !isText {
			continue
		}
		if len(name) <= maxName {
			program.readPath(name)
		}
		word := strings.TrimLeft(name, "-")
		dashes := len(name) - len(word)
		flag, attached, isFlag := passwordFlag{}, "", false
		if dashes == 1 {
			flag, attached, isFlag = program.flag(word)
		}
		if attached != "" {
			list[i] = "-" + flag.name + flag.mask(attached)
			continue
		}
		if i+1 == len(list) {
			break
		}
		switch next := list[i+1].(type) {
		case map[string]any, []any:
		case string:
			switch {
			case isFlag && strings.HasPrefix(next, "-"):
			case isFlag:
				list[i+1] = flag.mask(next)
			case dashes == 0 && len(list) != 2 && !isHeader(i, len(list), next), strings.ContainsAny(name, "= :"):
			case isUserFlag(word, dashes):
				list[i+1] = passwordFlag{mark: ':'}.mask(next)
			case m.isSecret(name, next):
				list[i+1] = masked
			}
		default:
			if dashes > 0 && m.isSecret(name, next) {
				list[i+1] = masked
			}
		}
	}
}

// isHeader reports whether an item of a list may be the name before a generated value, as in
// the flat lists of headers that some clients take.
func isHeader(i, items int, value string) bool {
	return i%2 == 0 && items%2 == 0 && (looksRandom(value) || isGenerated(value))
}

// text returns a text with its secrets masked.
func (m masker) text(s string, program command) string {
	if trimmed := strings.TrimSpace(s); trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') {
		if v, ok := jsonvalue.Decode([]byte(trimmed)); ok {
			before, _ := jsonvalue.Marshal(v)
			if after, err := jsonvalue.Marshal(m.value(v, program)); err == nil && string(after) != string(before) {
				return string(after)
			}
			return s
		}
	}
	f := finder{text: s, command: program}
	f.find()
	return f.masked()
}

// isSecret reports whether the value of a member is masked. A name that is not valid UTF-8
// may be any name. The value of a plain key is a secret if it looks random.
func (m masker) isSecret(name string, value any) bool {
	_, isNumber := value.(json.Number)
	g := gradeOf(name, isNumber)
	if text, ok := value.(string); g == secret || ok && (g != plain && looksRandom(text) || g == vendor && isUUID(text)) {
		return true
	}
	return strings.ContainsRune(name, utf8.RuneError) || m != nil && m(name)
}
