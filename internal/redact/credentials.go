package redact

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed credentials.txt
var credentialsText string

// A table holds the rows of credentials.txt.
type table struct {
	names [256][]string              // by their first byte
	forms [][]form                   // those whose prefixes have the same first two bytes
	pairs [256][256]byte             // the forms by these bytes; 0 is none, and 1 a JSON web token
	words map[string]map[string]bool // by the kind of row
}

// A form describes an issuer's credentials: a prefix, and at least some characters of a set.
type form struct {
	prefix string
	set    *class
	least  int
	weak   bool // other words have this prefix too
}

// rows returns the table. It may panic if credentials.txt is malformed, which a test rules out.
var rows = sync.OnceValue(func() *table {
	t := &table{forms: make([][]form, 2), words: map[string]map[string]bool{
		"name": {}, "word": {}, "end": {}, "about": {}, "id": {}, "card": {}, "key": {}, "query": {}, "status": {},
	}}
	t.pairs['e']['y'] = 1
	for line := range strings.Lines(credentialsText) {
		row := strings.Split(line, "\t")
		if row[0] == "form" || row[0] == "weak" {
			t.addForm(row[1], row[0] == "weak")
		}
		if words := t.words[row[0]]; words != nil { // with a plus, each on its left with each on its right
			left, right, _ := strings.Cut(row[1], "+")
			for _, follower := range append(strings.Fields(right), "")[:max(1, len(strings.Fields(right)))] {
				for word := range strings.FieldsSeq(left) {
					words[strings.TrimSpace(word+" "+follower)], words[word+follower] = true, true
				}
			}
		}
	}
	for part := range t.words["name"] {
		t.names[part[0]] = append(t.names[part[0]], part)
	}
	return t
})

var escapes = strings.NewReplacer(`\w`, "0-9A-Z_a-z", `\r`, "\r", `\n`, "\n", `\\`, `\`)

// addForm adds the form that an expression describes: a literal, a class of characters in
// brackets, and their minimum number in braces.
func (t *table) addForm(pattern string, weak bool) {
	literal, rest, _ := strings.Cut(pattern, "[")
	class, least, _ := strings.Cut(rest, "]{")
	f := form{prefix: strings.ReplaceAll(literal, `\`, ""), weak: weak, set: classOf(escapes.Replace(class))}
	f.least, _ = strconv.Atoi(strings.TrimSuffix(least, ",}"))
	at := &t.pairs[f.prefix[0]][f.prefix[1]]
	if *at == 0 {
		*at, t.forms = byte(len(t.forms)), append(t.forms, nil) //nolint:gosec // a hundred
	}
	t.forms[*at] = append(t.forms[*at], f)
}

// credential returns the end of the credential that begins with the two bytes at i, or i if there is none.
func (f *finder) credential(i int) int {
	s := f.text
	for _, form := range f.table.forms[f.table.pairs[s[i]][s[i+1]]] {
		if !strings.HasPrefix(s[i:], form.prefix) {
			continue
		}
		tail := i + len(form.prefix)
		isInWord := i > 0 && strings.IndexByte(".-~", s[i-1]) >= 0
		if form.weak && (isInWord || !looksRandom(s[tail:form.set.end(s[:min(len(s), tail+maxValue)], tail)])) {
			continue
		}
		if to := form.set.end(s, tail); to-tail >= form.least {
			return punctuation.start(s, i, behind.end(s, to))
		}
	}
	const minWebToken = 31 // a header and a claim take this much in base64
	if strings.HasPrefix(s[i:], "ey") {
		text := s[i:token68End(s[:min(len(s), i+maxValue)], i)]
		if len(text) >= minWebToken && strings.Contains(text, ".ey") || // a JSON web token (RFC 7519)
			len(text) > 40 && text[2] == 'J' && strings.Count(text, ".") >= 2 { // an encrypted one (RFC 7516)
			return punctuation.start(s, i, token68End(s, i))
		}
	}
	return i
}

// token68End returns the end of the token68 (RFC 9110) that continues at i.
func token68End(s string, i int) int {
	for i = token68.end(s, i); i < len(s) && s[i] == '='; i++ {
	}
	return i
}
