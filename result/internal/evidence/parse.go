package evidence

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp/syntax"
	"strings"
	"unicode"
)

// failsJSON reports whether an argument fails to parse as JSON with the same error. An
// invalid first letter, which nearly every word has, is only evidence if the argument's
// name indicates a document.
func failsJSON(l *leaf, e *json.SyntaxError) bool {
	for _, text := range []string{l.text, strings.TrimSpace(l.text)} {
		var again *json.SyntaxError
		if !errors.As(json.Unmarshal([]byte(text), new(json.RawMessage)), &again) || again.Offset != e.Offset || again.Error() != e.Error() {
			continue
		}
		return e.Offset > 1 || !unicode.IsLetter([]rune(text)[0]) ||
			mentions(l.name(), "json", "payload", "body", "doc", "variables", "filter", "spec", "data", "params", "config", "input", "object")
	}
	return false
}

// mistyped searches for the value that does not fit a Go type: in the arguments, which the
// handler may have decoded itself, and in arguments that are JSON text.
func (s *search) mistyped(e *json.UnmarshalTypeError) {
	s.named = true
	if e.Field != "" {
		if at := mistyped(s.raw, e); at != nil {
			s.found = &leaf{at: at}
		}
	}
	s.parsed(func(l *leaf) bool {
		return strings.ContainsAny(l.text[:1], "{[\"") && mistyped([]byte(l.text), e) != nil
	})
}

// whole is the step to a whole JSON text.
var whole = new(step)

// mistyped returns where a JSON text contains a value of the kind, path and offset in an
// error, or nil. The offset may be relative to an enclosing value.
func mistyped(raw []byte, e *json.UnmarshalTypeError) (found *step) {
	kind, _, _ := strings.Cut(e.Value, " ")
	starts := map[*step]int64{}
	walk(raw, func(v value) bool {
		if _, ok := v.token.(json.Delim); ok {
			starts[v.at] = v.end - 1
		}
		if kindOf(v.token) != kind {
			return true
		}
		base, ok := ancestor(v.at, e.Field)
		if !ok || e.Field == "" && v.at != nil {
			return true
		}
		if v.end-starts[base] == e.Offset {
			if found = v.at; found == nil {
				found = whole
			}
		}
		return found == nil
	})
	return found
}

// ancestor returns the value that contains another one under dotted names. Such names have no
// indexes of lists.
func ancestor(at *step, names string) (base *step, ok bool) {
	for names != "" {
		for at != nil && at.index >= 0 {
			at = at.up
		}
		if at == nil {
			return nil, false
		}
		rest, ok := cutSuffixFold(names, at.name)
		if !ok {
			return nil, false
		}
		names, at = rest, at.up
	}
	return at, true
}

// cutSuffixFold removes the last of several dotted names, ignoring case.
func cutSuffixFold(names, last string) (rest string, ok bool) {
	n := len(names) - len(last)
	if n < 0 || !strings.EqualFold(names[n:], last) {
		return names, false
	}
	if n == 0 {
		return "", true
	}
	return names[:n-1], names[n-1] == '.'
}

func kindOf(token json.Token) string {
	switch token := token.(type) {
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "bool"
	case json.Delim:
		if token == '[' {
			return "array"
		}
		return "object"
	}
	return "null"
}

func failsXML(text string, e *xml.SyntaxError) bool {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if err == nil {
			continue
		}
		var again *xml.SyntaxError
		return errors.As(err, &again) && *again == *e
	}
}

func failsCSV(text string, e *csv.ParseError) bool {
	for _, comma := range ",;\t|" {
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.ReuseRecord = comma, true
		var err error
		for err == nil {
			_, err = r.Read()
		}
		var again *csv.ParseError
		if errors.As(err, &again) && again.Line == e.Line && again.Column == e.Column && errors.Is(again.Err, e.Err) {
			return true
		}
	}
	return false
}

func failsBase64(text string, e base64.CorruptInputError) bool {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		_, err := io.Copy(io.Discard, base64.NewDecoder(encoding, strings.NewReader(text)))
		_, atOnce := encoding.DecodeString(text)
		var again base64.CorruptInputError
		if errors.As(err, &again) && again == e || errors.As(atOnce, &again) && again == e {
			return true
		}
	}
	return false
}

// failsHex reports whether an argument fails to parse as hexadecimal digits with the same
// error. Every word has an invalid letter. Therefore it is only evidence among digits, or
// if the argument's name indicates hexadecimal digits.
func failsHex(l *leaf, e hex.InvalidByteError) bool {
	var again hex.InvalidByteError
	if _, err := hex.DecodeString(l.text); !errors.As(err, &again) || again != e {
		return false
	}
	digits := 0
	for _, c := range []byte(l.text) {
		if strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 {
			digits++
		}
	}
	return 2*digits > len(l.text) || mentions(l.name(), "hex", "hash", "digest", "sha", "data", "bytes")
}

func failsRegexp(text string, e *syntax.Error) bool {
	if len(text) > maxText {
		return false
	}
	var again *syntax.Error
	for _, flags := range []syntax.Flags{syntax.Perl, syntax.POSIX} {
		if _, err := syntax.Parse(text, flags); errors.As(err, &again) && again.Code == e.Code &&
			(strings.Contains(text, e.Expr) || strings.Contains(e.Expr, text)) {
			return true
		}
	}
	return false
}
