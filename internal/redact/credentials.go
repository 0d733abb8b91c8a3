package redact

import (
	_ "embed"
	"regexp/syntax"
	"strings"
	"sync"
)

//go:embed credentials.txt
var credentialsText string

// A table holds the rows of credentials.txt, some by their first byte.
type table struct {
	names [256][]string
	forms [256][]form
	words map[string]map[string]bool // by the kind of row
}

// A form describes the credentials of an issuer: a prefix, and a minimum number of characters
// of a set.
type form struct {
	prefix string
	set    [2]uint64 // of ASCII
	least  int
	weak   bool // other words have this prefix too
}

// run returns the end of the characters of the set that begin at i.
func (f *form) run(s string, i int) int {
	for i < len(s) && s[i] < 128 && f.set[s[i]>>6]>>(s[i]&63)&1 == 1 {
		i++
	}
	return i
}

// rows returns the table. It panics if credentials.txt is malformed, which a test rules out.
var rows = sync.OnceValue(func() *table {
	t := &table{words: map[string]map[string]bool{"word": {}, "key": {}, "query": {}, "status": {}}}
	for line := range strings.Lines(credentialsText) {
		row := strings.Split(line, "\t")
		switch words := t.words[row[0]]; {
		case row[0] == "form", row[0] == "weak":
			t.addForm(row[1], row[0] == "weak")
		case row[0] == "name":
			for part := range strings.FieldsSeq(row[1]) {
				t.names[part[0]] = append(t.names[part[0]], part)
			}
		case words != nil:
			for word := range strings.FieldsSeq(row[1]) {
				words[word] = true
			}
		}
	}
	return t
})

// addForm adds the form that an expression describes: a literal and a repeated class.
func (t *table) addForm(pattern string, weak bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	literal, repeat := re.Sub[0], re.Sub[1]
	f := form{prefix: string(literal.Rune), least: repeat.Min, weak: weak}
	class := repeat.Sub[0].Rune
	for i := 0; i < len(class); i += 2 {
		for c := class[i]; c <= class[i+1] && c < 128; c++ {
			f.set[c>>6] |= 1 << (c & 63)
		}
	}
	t.forms[f.prefix[0]] = append(t.forms[f.prefix[0]], f)
}

// credential returns the end of the credential that begins at i, or i if there is none.
func (f *finder) credential(i int) int {
	s := f.text
	for _, form := range f.table.forms[s[i]] {
		if !strings.HasPrefix(s[i:], form.prefix) {
			continue
		}
		tail := i + len(form.prefix)
		if form.weak {
			to := form.run(s[:min(len(s), tail+maxValue)], tail)
			if i > 0 && strings.IndexByte(".-~", s[i-1]) >= 0 || to-tail < form.least || !looksRandom(s[tail:to]) {
				continue
			}
		}
		if to := form.run(s, tail); to-tail >= form.least {
			for to < len(s) && (isAlnum(s[to]) || s[to] == '-') {
				to++
			}
			return sentenceEnd(s, i, to)
		}
	}
	if strings.HasPrefix(s[i:], "ey") {
		text := s[i:token68End(s[:min(len(s), i+maxValue)], i)]
		if len(text) > 30 && strings.Contains(text, ".ey") || // a JSON web token (RFC 7519)
			len(text) > 40 && text[2] == 'J' && strings.Count(text, ".") >= 2 { // an encrypted one (RFC 7516)
			return sentenceEnd(s, i, token68End(s, i))
		}
	}
	return i
}

// token68End returns the end of the token68 (RFC 9110) that goes on at i.
func token68End(s string, i int) int {
	for i < len(s) && (isAlnum(s[i]) || strings.IndexByte("-._~+/", s[i]) >= 0) {
		i++
	}
	for i < len(s) && s[i] == '=' {
		i++
	}
	return i
}

// sentenceEnd returns end without the sentence's punctuation before it.
func sentenceEnd(s string, from, end int) int {
	return from + len(strings.TrimRight(s[from:end], ".,;:!?"))
}
