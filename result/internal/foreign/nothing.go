package foreign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxNothing is how many bytes a text may have that reports that nothing was found.
	// Chosen: a sentence, and the search terms.
	maxNothing = 1000
	// maxSubject is how many words may be between no and found. Chosen: a clause.
	maxSubject = 12
)

// reportsNothing reports whether a text only reports that nothing was found: one of its lines
// does, the lines before it are headings, and the lines after it are advice.
func reportsNothing(text string) bool {
	const most = 8 // lines. Chosen: a heading, the search terms, the result, and advice
	if len(text) > maxNothing || strings.Count(text, "\n") > 2*most {
		return false
	}
	said, lines, behind := false, 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		bare := strings.TrimFunc(line, isMark)
		if bare == "" { // a rule, or an empty list
			continue
		}
		lines++
		switch {
		case lines > most:
			return false
		case !said && (startsWithNothing(bare) || len(line) <= maxShort && sentenceReportsNothing(line)):
			said = true
		case !said && !isHeading(line, bare), said && isRow(line):
			return false
		case said:
			behind += len(bare)
		}
	}
	return said && behind <= maxShort && !hasMore(strings.ToLower(text))
}

func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// startsWithNothing reports whether an English line begins with a statement that there is
// nothing.
func startsWithNothing(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return slices.ContainsFunc(nothingStarts, func(start string) bool { return strings.EqualFold(start, first) }) &&
		beginsWithNothing(strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return isMark(r) && r != '\'' }))
}

// isHeading reports whether a line introduces the next lines and contains no data: a
// heading, or the search terms.
func isHeading(line, bare string) bool {
	if label, _, ok := strings.Cut(strings.ReplaceAll(bare, "：", ":"), ":"); ok {
		return len(bare) <= maxShort && hasStem(strings.ToLower(label), searchStems)
	}
	r, _ := utf8.DecodeRuneInString(line)
	isBold := strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**")
	return len(bare) <= maxShort && (r == '#' || isBold || unicode.Is(unicode.So, r))
}

// isRow reports whether a line contains data: a row of a table, JSON, or a number in a list
// or after a label.
func isRow(line string) bool {
	if strings.ContainsRune("|[{", rune(line[0])) {
		return true
	}
	isListed := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "•")
	return (isListed || strings.ContainsAny(line, ":：")) && strings.ContainsAny(line, "123456789")
}

// nothingStarts are the first words of English sentences that report nothing.
var nothingStarts = []string{"no", "none", "nothing", "0", "zero", "found", "there", "list", "set", "queue", "key", "collection", "table"}

// beginsWithNothing reports whether a sentence begins with a statement that there is
// nothing.
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

// hasMore reports whether a text contains other information than that nothing was
// found: work that was done, or how much was searched.
func hasMore(text string) bool {
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
	// resultWords are words for the results of a search.
	resultWords = set(`
		result results matches records record rows row items item data entries entry events event issues files searches sessions tasks
		found available documents hits returned`)
	// workWords indicate that other work was done.
	workWords = set(`
		passed valid deployed uploaded imported inserted updated fetched deleted skipped live healthy succeeded completed changed
		created saved sent scanned checked processed`)
	timeWords = set(`
		ms s sec secs second seconds m min mins minute minutes h hour hours d day days week weeks month months year years`)
)
