package evidence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// Words says whose fault a failure is of which there is a text and nothing else. The last
// clause that names something decides: a value that was sent, or the name of an argument,
// makes it the caller's; something else in quotes, a path or a number makes it the tool's
// own. A clause that names a thing by a word that is no argument's, such as "template not
// found", is not explained by those before it. A field is returned if only one argument can
// be meant.
func (a *Arguments) Words(text string) (field string, fault classify.Fault) {
	a.decode()
	text = head(text)
	words := wordsOf(text)
	for _, clause := range slices.Backward(clauses(text)) {
		if found := a.inClause(clause, words); len(found) > 0 {
			if len(found) == 1 {
				field = found[0].path()
			}
			return field, classify.Callers
		}
		if namesOther(clause) {
			return "", classify.Own
		}
		if isSpecific(clause) {
			break
		}
	}
	return "", classify.Unnamed
}

// Empty reports whether nothing was sent, or nothing that is known.
func (a *Arguments) Empty() bool {
	a.decode()
	return len(a.leaves) == 0
}

// In reports whether a text has a value in it that was sent, be it by chance.
func (a *Arguments) In(text string) bool {
	a.decode()
	text = head(text)
	return slices.ContainsFunc(a.leaves, func(l leaf) bool { return l.text != "" && holds(text, l.text) })
}

// Has reports whether a member of this name was sent.
func (a *Arguments) Has(name string) bool {
	a.decode()
	return slices.ContainsFunc(a.names, func(l leaf) bool { return l.text == name })
}

// clauses returns the clauses of a text. What stands in quotes may be cut, and is then no
// quotation.
func clauses(text string) []string {
	for _, end := range []string{": ", ". ", "; "} {
		text = strings.ReplaceAll(text, end, "\n")
	}
	return slices.DeleteFunc(strings.Split(text, "\n"), func(clause string) bool { return strings.TrimSpace(clause) == "" })
}

// inClause returns the arguments that a clause names: by their values, or else by their
// names. All are the words of the whole text.
func (a *Arguments) inClause(clause string, all []string) (found []*leaf) {
	quoted, words := quotes(clause), wordsOf(clause)
	add := func(l *leaf) {
		if !slices.ContainsFunc(found, func(other *leaf) bool { return other.path() == l.path() }) {
			found = append(found, l)
		}
	}
	for i := range a.leaves {
		if l := &a.leaves[i]; isNamed(l, clause, quoted, all) {
			add(l)
		}
	}
	for _, path := range quoted {
		if last := a.lastOf(path); last != nil && len(found) == 0 {
			found = append(found, last)
		}
	}
	for i := range a.names {
		if len(found) > 0 {
			break
		}
		if l := &a.names[i]; slices.Contains(quoted, l.text) || isSubject(l.text, words) {
			found = append(found, l)
		}
	}
	return found
}

// isNamed reports whether a clause names an argument by its value. A short number needs the
// argument's name in the text.
func isNamed(l *leaf, clause string, quoted, all []string) bool {
	text := strings.TrimSpace(l.text)
	switch {
	case text == "" || len(text) > maxText:
		return false
	case slices.ContainsFunc(quoted, func(word string) bool {
		return likeText(l, word) >= joined || len(word) >= shortText && holds(text, word)
	}):
		return true
	case len(text) > maxQuoted || !holds(clause, text):
		return false
	case l.number:
		return len(text) >= shortNumber || sharesNoun(l.name(), all)
	}
	return len(text) >= shortText && isDistinct(text) && isSpecific(text)
}

// lastOf returns the argument that is the last element of a path, such as owner/name, if
// all of its elements were sent.
func (a *Arguments) lastOf(path string) (last *leaf) {
	if !strings.Contains(path, "/") {
		return nil
	}
	for element := range strings.SplitSeq(path, "/") {
		i := slices.IndexFunc(a.leaves, func(l leaf) bool { return element != "" && l.text == element })
		if i < 0 {
			return nil
		}
		last = &a.leaves[i]
	}
	return last
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// sharesNoun reports whether the name of an argument has a word in it that a clause has
// too, such as project of project_id, and that is no word of every sentence.
func sharesNoun(name string, words []string) bool {
	return slices.ContainsFunc(partsOf(name), func(part string) bool {
		return len(part) > 1 && !isGeneric(part) && slices.Contains(words, part)
	})
}

// partsOf returns the words of a name, in lower case.
func partsOf(name string) []string {
	var spaced strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
	}
	return wordsOf(spaced.String())
}

// isSubject reports whether the name of an argument is all that a clause speaks of: "the
// project was not found" of project_id, but not "the config file is missing" of file. A name
// that is no word of prose may stand beside others.
func isSubject(name string, words []string) bool {
	parts := partsOf(name)
	if len(parts) > 1 && containsRun(words, parts) {
		return true
	}
	return sharesNoun(name, words) && !slices.ContainsFunc(words, func(word string) bool {
		return !isGeneric(word) && !isStatus(word) && !slices.Contains(parts, word)
	})
}

// IsAbout reports whether a clause of a text speaks of an argument of this name, and of
// nothing else.
func IsAbout(text, name string) bool {
	return slices.ContainsFunc(clauses(head(text)), func(clause string) bool { return isSubject(name, wordsOf(clause)) })
}

// containsRun reports whether words has the parts one behind the other.
func containsRun(words, parts []string) bool {
	for i := range words {
		if len(words)-i >= len(parts) && slices.Equal(words[i:i+len(parts)], parts) {
			return true
		}
	}
	return false
}

// namesOther reports whether a clause names something by what is no word of prose: a
// quotation, a path, a number.
func namesOther(clause string) bool {
	if len(quotes(clause)) > 0 {
		return true
	}
	for word := range strings.FieldsSeq(clause) {
		if strings.ContainsAny(strings.TrimRight(word, ".,"), `/\_`) || len(word) > 1 && strings.ContainsFunc(word, unicode.IsDigit) && !isStatus(word) {
			return true
		}
	}
	return false
}

// isStatus reports whether a word is like an HTTP status of a failure.
func isStatus(word string) bool {
	return len(word) == 3 && (word[0] == '4' || word[0] == '5') && strings.Trim(word, "0123456789") == ""
}

// isSpecific reports whether a clause speaks of a thing by a word of its own.
func isSpecific(clause string) bool {
	return slices.ContainsFunc(wordsOf(clause), func(word string) bool { return !isGeneric(word) && !isStatus(word) })
}

// isGeneric reports whether a word says nothing of what a sentence is about.
func isGeneric(word string) bool { return strings.Contains(genericWords, " "+word+" ") }

// genericWords are words that services use of anything that they are asked for, the words
// that say what is wrong with it, and those that hold a sentence together.
const genericWords = " a an the this that these those it its is are was were be been being has have had do does did not no none nor or and of to in on at by for from with " +
	"as if you your we our they there here any some all one more than must should may might can could cannot will would s t " +
	"resource resources record records row rows item items object objects entity entities entry entries element elements thing things result results " +
	"request requests response input inputs parameter parameters argument arguments attribute attributes field fields value values data id ids identifier name names " +
	"key keys number type kind operation action call method status state code error errors exception failure server service api http rpc client " +
	"found find exist exists existing existed already taken use used duplicate duplicated unique conflict conflicts conflicting " +
	"forbidden unauthorized unauthenticated authenticated authorized authentication authorization denied deny access permission permissions permitted allowed credentials token " +
	"invalid valid malformed bad wrong missing required empty unknown unsupported illegal unprocessable such match matches matched ambiguous " +
	"out range large long small short exceeded exceeds exceed limit quota fail failed fails unable could get read list create update delete remove write set add fetch look lookup " +
	"gone deleted removed locked closed precondition "
