package evidence

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// naming matches what a rejection names: quoted text, the word behind a noun (column o.emial), one at
// the end behind a colon, and one with a dot. Keywords matches words in capitals.
var naming, keywords = sync.OnceValue(func() *regexp.Regexp {
	const word = `([A-Za-z_][\w.$#]*)`
	return regexp.MustCompile("(?:(?i:\\b(table|relation) )|^|\\W)(?:'((?:[^':]|'\\w)*?)'|\"(.*?)\"|`(.*?)`|" +
		"[«“](.*?)[»”])(?:\\W|$)" +
		`|\b(?i:(table|relation)|column|function|view|index|schema|database|sequence|procedure|` +
		`object|type|name|named|alias)(?: named?)? +` + word +
		`|: ` + word + `[()]*(?: \(\d+\))?$|\b([A-Za-z_]\w*(?:\.\w+)+|transaction)\b`)
}), sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[A-Z]{2,}\b`) })

// fillers stand behind a noun, or in capitals, and are no names.
const fillers = " or and of is in on to for does must may has cannot not with was already specified calls functions " +
	"count list requires " +
	"definition permission name named reference identifier expression error sql sqlstate ora "

// verbs begin a statement.
const verbs = " select with insert update delete merge replace create alter drop truncate explain show describe " +
	"pragma call exec " +
	"execute use values grant revoke set begin match "

func isOneOf(list, word string) bool { return strings.Contains(list, " "+strings.ToLower(word)+" ") }

// rejected returns the argument that a rejection of a service is about, and the name in it. The service
// names something that stands in the argument, and names no table that stands in none, or it names
// nothing at all, and the argument is a statement. What follows a kilobyte may quote the statement.
func (a *Arguments) rejected(rejection string) (found *leaf, name string) {
	rejection = strings.NewReplacer("`.`", ".", `"."`, ".", "'@'", "@").Replace(rejection[:min(len(rejection), 1<<10)])
	var explicit, capital, isInTable bool
	look := func(text string, isTable bool) bool {
		l := a.find(statements(text), len(text))
		if l != nil && (found == nil || isInTable) {
			found, name, isInTable = l, strings.Trim(strings.Fields(text)[0], "\"'`"), isTable
			if !strings.Contains(strings.ToLower(l.text), strings.ToLower(name)) {
				name = name[strings.LastIndexByte(name, '.')+1:]
			}
		}
		return l != nil || !isTable
	}
	for _, m := range naming().FindAllStringSubmatch(rejection, -1) {
		bare := strings.TrimRight(cmp.Or(m[7], m[8], m[9]), ".")
		text := cmp.Or(m[2], m[3], m[4], m[5], bare)
		if strings.TrimSpace(text) == "" || isOneOf(fillers, bare) {
			continue
		}
		if explicit = true; !look(text, m[1]+m[6] != "") {
			return nil, ""
		}
	}
	for _, word := range keywords().FindAllString(rejection, -1) {
		if !explicit && !isOneOf(fillers, word) {
			capital = true
			look(word, false)
		}
	}
	if !explicit && !capital {
		found = a.find([]spelling{isStatement}, 0)
	}
	return found, name
}

// statements returns the spellings of what a rejection names: an argument or an item of a list that
// is the name or begins with it, and a request that contains it. Of a name with dots, the last part
// suffices.
func statements(name string) []spelling {
	name = strings.ToLower(strings.TrimSpace(name))
	last := name[strings.LastIndexByte(name, '.')+1:]
	return []spelling{
		func(l *leaf) bool {
			items := strings.FieldsFunc(strings.ToLower(l.text), isSeparator)
			return l.kind == "string" && slices.ContainsFunc(items, func(item string) bool {
				first, _, _ := strings.Cut(strings.TrimSpace(item), " ")
				return first == name || first == last || item == name
			})
		},
		func(l *leaf) bool {
			if l.kind != "string" || !isStatement(l) && !strings.ContainsAny(l.text, "=<>*();{}[]$|\\^") {
				return false
			}
			text := strings.ToLower(l.text)
			isCut := strings.Contains(name, " ") && strings.Contains(text, name)
			return isCut || holds(text, name) || last != "" && holds(text, last)
		},
	}
}

// isStatement reports whether an argument begins like a statement and goes on.
func isStatement(l *leaf) bool {
	first, rest, _ := strings.Cut(l.text, " ")
	return l.kind == "string" && rest != "" && isOneOf(verbs, first)
}

// HasStatement reports whether an argument is a statement with a sign, and no sentence.
func (a *Arguments) HasStatement() bool {
	l := a.find([]spelling{isStatement}, 0)
	return l != nil && strings.ContainsAny(l.text, "=<>*();/")
}
