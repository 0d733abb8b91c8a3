package redact

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// shortText is the shortest text that is taken out, in bytes. Chosen: shorter
	// ones are in every sentence.
	shortText = 4
	// longText is the shortest that is taken out within a word too. Chosen: a
	// shorter one is often a part of some word, as perm is of permission.
	longText = 8
	// maxTexts bounds the texts that are taken out. Chosen: tools have some ten
	// arguments.
	maxTexts = 1000
)

// Texts are what must not be in a log: the values of a call's arguments, which errors
// quote. The longest come first.
type Texts []string

// TextsOf returns the texts and long numbers in a call's arguments, the names for which
// isKnown is false, and key. If isKnown is nil, all names are known.
func TextsOf(arguments []byte, isKnown func(name string) bool, key string) Texts {
	v, _ := jsonvalue.Decode(arguments) // what is no JSON was refused, and not quoted
	var found Texts
	add(&found, key)
	collect(&found, v, isKnown)
	slices.SortFunc(found, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return found
}

func collect(t *Texts, v any, isKnown func(string) bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			if isKnown != nil && !isKnown(name) {
				add(t, name)
			}
			collect(t, item, isKnown)
		}
	case []any:
		for _, item := range v {
			collect(t, item, isKnown)
		}
	case string:
		add(t, v)
	case json.Number:
		add(t, v.String())
	}
}

// add adds a text, and as errors quote it.
func add(t *Texts, text string) {
	if len(text) < shortText || len(*t) >= maxTexts {
		return
	}
	*t = append(*t, text)
	if quoted := strconv.Quote(text); quoted[1:len(quoted)-1] != text {
		*t = append(*t, quoted[1:len(quoted)-1])
	}
}

// Remove returns s with [argument] in place of each of the texts.
func (t Texts) Remove(s string) string {
	if len(t) == 0 {
		return s
	}
	var byFirst [256][]string
	for _, text := range t {
		byFirst[text[0]] = append(byFirst[text[0]], text)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for _, text := range byFirst[s[i]] {
			if strings.HasPrefix(s[i:], text) && (len(text) >= longText || isWord(s, i, i+len(text))) {
				n = len(text)
				break
			}
		}
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString("[argument]")
		i += n
	}
	return b.String()
}

// Attrs returns the group of a failure's attributes in a log, without the texts in those
// that quote what a call was given.
func (t Texts) Attrs(attrs []slog.Attr) slog.Value {
	attrs = slices.Clone(attrs)
	for i, a := range attrs {
		if a.Key == "message" || a.Key == "field" || a.Key == "cause" {
			attrs[i].Value = slog.StringValue(t.Remove(a.Value.String()))
		}
	}
	return slog.GroupValue(attrs...)
}

// isWord reports whether s[from:to] is no part of a longer word or name.
func isWord(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	behind, _ := utf8.DecodeRuneInString(s[to:])
	return !slices.ContainsFunc([]rune{before, behind}, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}
