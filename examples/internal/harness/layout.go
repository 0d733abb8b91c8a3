package harness

import (
	"encoding/json"
	"fmt"
	"strings"
)

// longest is how many bytes of an answer or of a member are shown. It is long enough for the
// examples' sentences, but too short for the results in their partial failures.
const longest = 300

// A Member is a member of an envelope, formatted for a reader.
type Member struct{ Name, Value string }

// Layout formats the text of an answer for a reader. For an envelope, head states the category, the
// code, whether it is retryable, and the effect; members holds the other members, in order. Any
// other text is returned as the head. Long values are cut, with their length in bytes added.
func Layout(text string) (head string, members []Member) {
	before, object, ok := strings.Cut(text, `{"isError":true,`)
	if !ok {
		return cut(text), nil
	}
	d := json.NewDecoder(strings.NewReader("{" + object))
	if _, err := d.Token(); err != nil {
		return cut(text), nil
	}
	values := map[string]string{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return cut(text), nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return cut(text), nil
		}
		m := Member{Name: fmt.Sprint(name), Value: shown(value)}
		values[m.Name] = m.Value
		if !headed[m.Name] {
			members = append(members, m)
		}
	}
	return before + headOf(values), members
}

// headed lists the members that the head states.
var headed = map[string]bool{"errorCategory": true, "isRetryable": true, "code": true, "effect": true}

// headOf returns the head of an envelope, such as "transient timeout, retryable, effect unknown".
func headOf(values map[string]string) string {
	head := strings.TrimSpace(values["errorCategory"] + " " + values["code"])
	if values["isRetryable"] == "true" {
		head += ", retryable"
	} else {
		head += ", not retryable"
	}
	if effect := values["effect"]; effect != "" {
		head += ", effect " + effect
	}
	return strings.TrimPrefix(head, ", ")
}

// shown formats a value: a string as its text, the rest as JSON, cut if it is long.
func shown(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	return cut(text)
}

// cut shortens a text that is longer than longest.
func cut(text string) string {
	if len(text) <= longest {
		return text
	}
	return fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(text[:longest], ""), len(text))
}

// wrap breaks text into lines of at most width characters. It breaks at the last space or after the
// last comma in the line's second half, or else at width. If width is not positive, text stays one
// line.
func wrap(text string, width int) []string {
	if width <= 0 {
		return []string{text}
	}
	var lines []string
	rest := []rune(text)
	for len(rest) > width {
		end := width
		for i := width; i > width/2; i-- {
			if rest[i] == ' ' || rest[i-1] == ',' {
				end = i
				break
			}
		}
		lines = append(lines, string(rest[:end]))
		if rest = rest[end:]; rest[0] == ' ' {
			rest = rest[1:]
		}
	}
	return append(lines, string(rest))
}
