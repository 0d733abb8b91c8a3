package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// withoutArguments takes the values of the call's arguments, names that the tool
// does not have, and the key out of what is logged of a failure: errors quote what
// they were given.
func (f *failedCall) withoutArguments(e *toolerr.Error, tool *toolinfo.Tool) slog.Value {
	v := e.LogValue()
	_, arguments := calledTool(f.req)
	var known func(name string) bool
	if input := tool.Input(); input.Closed() || errors.Unwrap(e) == errArguments { //nolint:errorlint // the very value, whose path may hold any name
		known = input.Mentions
	}
	texts := argumentTexts(arguments, known, e.IdempotencyKey)
	if len(texts) == 0 {
		return v
	}
	attrs := slices.Clone(v.Group())
	for i, a := range attrs {
		if a.Key == "message" || a.Key == "field" || a.Key == "cause" {
			attrs[i].Value = slog.StringValue(without(texts, a.Value.String()))
		}
	}
	return slog.GroupValue(attrs...)
}

const (
	// shortArgument is the shortest text that is taken out, in bytes. Chosen: shorter
	// ones are in every sentence.
	shortArgument = 4
	// longArgument is the shortest that is taken out within a word too. Chosen: a
	// shorter one is often a part of some word, as perm is of permission.
	longArgument = 8
	// maxArguments bounds the texts that are taken out. Chosen: tools have some ten.
	maxArguments = 1000
)

// without returns s without the texts, the longest of which come first.
func without(texts []string, s string) string {
	var byFirst [256][]string
	for _, text := range texts {
		byFirst[text[0]] = append(byFirst[text[0]], text)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for _, text := range byFirst[s[i]] {
			if strings.HasPrefix(s[i:], text) && (len(text) >= longArgument || isWord(s, i, i+len(text))) {
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

// isWord reports whether s[from:to] is no part of a longer word or name.
func isWord(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	behind, _ := utf8.DecodeRuneInString(s[to:])
	return !slices.ContainsFunc([]rune{before, behind}, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// argumentTexts returns the texts and long numbers in the arguments, names that are
// not known, and the key, the longest first.
func argumentTexts(arguments json.RawMessage, known func(name string) bool, key string) []string {
	var v any
	_ = decode(arguments, &v) // what is no JSON was refused, and not quoted
	t := arguedTexts{known: known}
	t.add(key)
	t.collect(v)
	slices.SortFunc(t.found, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return t.found
}

// arguedTexts are those that a call has brought.
type arguedTexts struct {
	known func(name string) bool // if nil, all names are
	found []string
}

func (t *arguedTexts) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			if t.known != nil && !t.known(name) {
				t.add(name)
			}
			t.collect(item)
		}
	case []any:
		for _, item := range v {
			t.collect(item)
		}
	case string:
		t.add(v)
	case json.Number:
		t.add(v.String())
	}
}

// add adds a text, and as errors quote it.
func (t *arguedTexts) add(text string) {
	if len(text) < shortArgument || len(t.found) >= maxArguments {
		return
	}
	t.found = append(t.found, text)
	if quoted := strconv.Quote(text); quoted[1:len(quoted)-1] != text {
		t.found = append(t.found, quoted[1:len(quoted)-1])
	}
}
