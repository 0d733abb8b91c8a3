package evidence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// Words returns whose fault a failure is if nothing but its text is known. The last clause
// with a name decides. An argument's value or name makes it the caller's fault. Other
// quoted text, a path or a number makes it the tool's own. A clause with a specific word
// that is not an argument's, such as "template not found", is not explained by the clauses
// before it. Words returns a field if only one argument matches.
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

// Empty reports whether the call has no arguments, or none that can be decoded.
func (a *Arguments) Empty() bool {
	a.decode()
	return len(a.leaves) == 0
}

// In reports whether a text contains a value of the arguments, even if only by chance.
func (a *Arguments) In(text string) bool {
	a.decode()
	text = head(text)
	return slices.ContainsFunc(a.leaves, func(l leaf) bool { return l.text != "" && holds(text, l.text) })
}

// Has reports whether the arguments have a member of this name.
func (a *Arguments) Has(name string) bool {
	a.decode()
	return slices.ContainsFunc(a.names, func(l leaf) bool { return l.text == name })
}

// clauses returns the clauses of a text. Quoted text may be split too, and is then no
// longer quoted.
func clauses(text string) []string {
	for _, end := range []string{": ", ". ", "; "} {
		text = strings.ReplaceAll(text, end, "\n")
	}
	return slices.DeleteFunc(strings.Split(text, "\n"), func(clause string) bool { return strings.TrimSpace(clause) == "" })
}

// inClause returns the arguments that a clause mentions: by their values, otherwise by
// their names. All are the words of the whole text.
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

// isNamed reports whether a clause contains the value of an argument. For a short number,
// the text must also contain the argument's name.
func isNamed(l *leaf, clause string, quoted, all []string) bool {
	text := strings.TrimSpace(l.text)
	switch {
	case text == "" || len(text) > maxText:
		return false
	case slices.ContainsFunc(quoted, func(word string) bool {
		return scoreText(l, word) >= joined || len(word) >= shortText && holds(text, word)
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
// all elements of the path are among the arguments.
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

// sharesNoun reports whether a clause contains a word of an argument's name, such as
// project of project_id, that is not generic.
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

// isSubject reports whether a clause is only about an argument: "the project was not found"
// is about project_id, but "the config file is missing" is not about file. A name that is
// not a word of prose may be next to other words.
func isSubject(name string, words []string) bool {
	parts := partsOf(name)
	if len(parts) > 1 && containsRun(words, parts) {
		return true
	}
	return sharesNoun(name, words) && !slices.ContainsFunc(words, func(word string) bool {
		return !isGeneric(word) && !isStatus(word) && !slices.Contains(parts, word)
	})
}

// IsAbout reports whether a clause of a text is only about an argument of this name.
func IsAbout(text, name string) bool {
	return slices.ContainsFunc(clauses(head(text)), func(clause string) bool { return isSubject(name, wordsOf(clause)) })
}

// containsRun reports whether words contains parts, adjacent and in this order.
func containsRun(words, parts []string) bool {
	for i := range words {
		if len(words)-i >= len(parts) && slices.Equal(words[i:i+len(parts)], parts) {
			return true
		}
	}
	return false
}

// namesOther reports whether a clause contains a name that is not a word of prose: a
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

// isStatus reports whether a word looks like the HTTP status of a failure.
func isStatus(word string) bool {
	return len(word) == 3 && (word[0] == '4' || word[0] == '5') && strings.Trim(word, "0123456789") == ""
}

// isSpecific reports whether a clause contains a word that is not generic.
func isSpecific(clause string) bool {
	return slices.ContainsFunc(wordsOf(clause), func(word string) bool { return !isGeneric(word) && !isStatus(word) })
}

// isGeneric reports whether a word does not indicate the subject of a sentence.
func isGeneric(word string) bool { return strings.Contains(genericWords, " "+word+" ") }

// genericWords are words that services use for any requested thing, words for what is wrong
// with it, and function words.
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
