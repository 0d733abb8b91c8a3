package foreign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxNothing is how many bytes a text may have that says that nothing was found.
	// Chosen: a sentence, and what was searched for.
	maxNothing = 1000
	// maxSubject is how many words may stand between no and found. Chosen: a clause.
	maxSubject = 12
)

// saysNothing reports whether a text says that nothing was found, and no more: a line of it
// says so, those before it are headings, and those behind it are advice.
func saysNothing(text string) bool {
	const most = 8 // lines. Chosen: a heading, what was searched for, nothing, and advice
	if len(text) > maxNothing || strings.Count(text, "\n") > 2*most {
		return false
	}
	said, lines, behind := false, 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		bare := strings.TrimFunc(line, isMark)
		if bare == "" { // a rule, or a list that is empty
			continue
		}
		lines++
		switch {
		case lines > most:
			return false
		case !said && (startsWithNothing(bare) || len(line) <= maxShort && sentenceSaysNothing(line)):
			said = true
		case !said && !isHeading(line, bare), said && isRow(line):
			return false
		case said:
			behind += len(bare)
		}
	}
	return said && behind <= maxShort && !saysMore(strings.ToLower(text))
}

func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// startsWithNothing reports whether a line in English begins by saying that there is nothing.
func startsWithNothing(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return slices.ContainsFunc(nothingStarts, func(start string) bool { return strings.EqualFold(start, first) }) &&
		beginsWithNothing(strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return isMark(r) && r != '\'' }))
}

// isHeading reports whether a line is there for those that follow, and holds no data: a
// heading, or what was searched for.
func isHeading(line, bare string) bool {
	if label, _, ok := strings.Cut(strings.ReplaceAll(bare, "：", ":"), ":"); ok {
		return len(bare) <= maxShort && hasStem(strings.ToLower(label), searchStems)
	}
	r, _ := utf8.DecodeRuneInString(line)
	isBold := strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**")
	return len(bare) <= maxShort && (r == '#' || isBold || unicode.Is(unicode.So, r))
}

// isRow reports whether a line holds data: it is a row of a table or JSON, or a number
// stands in a list or behind a label.
func isRow(line string) bool {
	if strings.ContainsRune("|[{", rune(line[0])) {
		return true
	}
	isListed := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "•")
	return (isListed || strings.ContainsAny(line, ":：")) && strings.ContainsAny(line, "123456789")
}

// nothingStarts are the first words of sentences that say so.
var nothingStarts = []string{"no", "none", "nothing", "0", "zero", "found", "there", "list", "set", "queue", "key", "collection", "table"}

// beginsWithNothing reports whether a sentence begins by saying that there is nothing.
func beginsWithNothing(words []string) bool {
	if len(words) < 2 {
		return false
	}
	switch first := words[0]; first {
	case "no", "none", "nothing", "0", "zero":
		if len(words) <= 3 && slices.ContainsFunc(words[1:], func(w string) bool { return resultWords()[w] }) {
			return true
		}
		return slices.ContainsFunc(words[1:min(len(words), maxSubject)], func(w string) bool { return foundWords()[w] })
	case "found":
		return words[1] == "0" || words[1] == "no" || words[1] == "nothing"
	case "there":
		return len(words) > 3 && (words[1] == "are" || words[1] == "were" || words[1] == "is") && words[2] == "no" &&
			slices.ContainsFunc(words[3:min(len(words), maxSubject)], func(w string) bool { return resultWords()[w] })
	case "list", "set", "queue", "key", "collection", "table":
		const near = 6 // words: list 'x' is empty
		i := slices.Index(words[:min(len(words), near)], "is")
		return i > 0 && i+1 < len(words) && words[i+1] == "empty"
	}
	return false
}

// saysMore reports whether a text is about more than nothing: it says what was done, or
// how much was looked through.
func saysMore(text string) bool {
	words := strings.Fields(text)
	for i, w := range words {
		w = strings.Trim(w, ".,;:!()")
		if workWords()[w] || w == "now" && i+1 < len(words) && words[i+1] == "at" {
			return true
		}
		before := i > 0 && (words[i-1] == "in" || words[i-1] == "of" || words[i-1] == "across" || words[i-1] == "from")
		if before && i+1 < len(words) && w != "0" && strings.Trim(w, "0123456789,") == "" && w != "" && !timeWords()[strings.Trim(words[i+1], ".,;:!()")] {
			return true // in 120 packages
		}
	}
	return false
}

var (
	foundWords = set(`found match matches matched matching exist exists`)
	// resultWords are what a search has.
	resultWords = set(`
		result results matches records record rows row items item data entries entry events event issues files searches sessions tasks
		found available documents hits returned`)
	// workWords say that something else was done.
	workWords = set(`
		passed valid deployed uploaded imported inserted updated fetched deleted skipped live healthy succeeded completed changed
		created saved sent scanned checked processed`)
	timeWords = set(`
		ms s sec secs second seconds m min mins minute minutes h hour hours d day days week weeks month months year years`)
)
