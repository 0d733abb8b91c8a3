package redact

import "strings"

const (
	// maxValue is the maximum number of bytes read to recognize a secret. Keys and the heads of
	// JSON web tokens are shorter.
	maxValue = 512
	// shortProse is the minimum length, in bytes, of a secret in prose. Shorter values are words.
	shortProse = 6
)

// assignment reads the value after the operators at i, adds a secret, and returns where to go on.
func (f *finder) assignment(i int) int {
	s := f.text
	op := operator.end(s, i)
	if isInSentence(s, i, op) {
		return op
	}
	name, from, nameQuoted := f.name(i)
	if n := address.start(name, 0, len(name)); n > 0 && name[n-1] == ' ' { // 10.0.0.1:5432
		return op
	}
	v := valueAt(s, op)
	v.name, v.url = name, f.url
	if v.from >= len(s) || s[v.from] == '{' && (!nameQuoted || countsTokens(name)) {
		return op
	}
	isNumber := nameQuoted && digit[s[v.from]] // in JSON
	if v.quote == 0 && v.from > op && !isNumber {
		if text := v.head(s); (len(text) < shortProse || isProse(text)) && !isLine(s, from, v.from+len(text)) {
			return op // in a sentence
		}
	}
	g := gradeOf(name)
	if from > 0 && (s[from-1] == '?' || s[from-1] == '&') && f.table.words["query"][strings.ToLower(name)] {
		g = secret
	}
	text := v.head(s)
	isNumeral := strings.Trim(text, digits+".") == ""
	if g == plain || g == maybe && !looksRandom(text) || text == "" || isNumeral && countsTokens(name) ||
		f.table.words["status"][strings.ToLower(strings.Trim(text, "."))] {
		return op
	}
	return f.add(v.from, v.end(s))
}

// isInSentence reports whether a word, a space and another word follow the operators between i and op, and what is
// before them ends no name after which that could be a secret: a quoted one, authorization or cookie.
func isInSentence(s string, i, op int) bool {
	if i == 0 || op == len(s) || s[op] != ' ' || strings.IndexByte("NneE\"'`]?\\ \t", s[i-1]) >= 0 {
		return false
	}
	end := small.end(s, op+1)
	return end > op+1 && end+1 < len(s) && s[end] == ' ' && alnum[s[end+1]]
}

// name returns the name (up to three words) before i, its start, and whether it is quoted.
func (f *finder) name(i int) (name string, from int, quoted bool) {
	s, least := f.text, f.least(i)
	gap := max(least, i-maxGap)
	closed := space.start(s, gap, i)
	end := closing.start(s, gap, closed)
	from, quoted = end, end < closed
	for words := 0; from > least; from-- {
		c := s[from-1]
		if c == ' ' {
			if words++; words == 3 || from-1 == least || !inName[s[from-2]] {
				break
			}
		} else if !inName[c] {
			break
		}
	}
	return s[from:end], from, quoted
}

// A value is the text beside a name.
type value struct {
	from    int  // where it begins, after its quote
	quote   byte // the quote around it, or 0
	escaped bool // the quote is escaped, as in JSON in a text
	url     int  // the end of the last URL
	name    string
}

// valueAt returns the value after spaces at i.
func valueAt(s string, i int) value {
	v := value{from: blankEnd(s, i)}
	at := escape.end(s, v.from)
	if at < len(s) && quote[s[at]] {
		v.quote, v.escaped, v.from = s[at], at > v.from, at+1
	}
	return v
}

// head returns the part of the value that is read to recognize a secret.
func (v *value) head(s string) string {
	s = s[:min(len(s), v.from+maxValue)]
	return s[v.from:v.end(s)]
}

func (v *value) end(s string) int {
	i := v.from
	switch {
	case v.escaped:
		before, _, _ := strings.Cut(s[i:], `\`+string(v.quote))
		return i + len(before)
	case v.quote != 0:
		return quoteEnd(s, i, v.quote)
	case s[i] == '[' || s[i] == '{':
		return bracketEnd(s, i)
	case v.isNamed("cookie"):
		return until(s, i, "\r\n\"'`")
	case v.isNamed("authorization"):
		return headerEnd(s, i)
	}
	for end := i; ; end++ {
		if end == len(s) || valueEnd[s[end]] || s[end] == '#' && end < v.url || s[end] == '&' && isPair(s[end+1:]) {
			return punctuation.start(s, i, end)
		}
	}
}

func (v *value) isNamed(word string) bool {
	from := len(v.name) - len(word)
	return from >= 0 && strings.EqualFold(v.name[from:], word)
}

// headerEnd returns the end of an authorization header's value at i: a token, a scheme and its
// token, or a scheme and its parameters up to the end of the line.
func headerEnd(s string, i int) int {
	const ends = " \t\r\n\"'`,;"
	end := until(s, i, ends)
	if end == len(s) || s[end] != ' ' || !isProse(strings.TrimRight(s[i:end], digits)) {
		return punctuation.start(s, i, end)
	}
	next := until(s, blankEnd(s, end), ends)
	if strings.Contains(s[end:next], "=") && !strings.EqualFold(s[i:end], "basic") {
		return until(s, next, "\r\n")
	}
	return punctuation.start(s, i, next)
}

// quoteEnd returns the end of the quoted text at i, or of the text if the quote is not closed.
func quoteEnd(s string, i int, quote byte) int {
	for ; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}

// bracketEnd returns the end of the list or object at i, or of the text if it is not closed.
func bracketEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

func isPair(s string) bool {
	end := inName.end(s[:min(len(s), maxName)], 0)
	return end > 0 && end < len(s) && s[end] == '='
}

// isLine reports whether the text between from and to fills one line of several.
func isLine(s string, from, to int) bool {
	before, after := indent.start(s, 0, from), lineEnd.end(s, to)
	return (before == 0 || s[before-1] == '\n') && (after == len(s) || s[after] == '\n') && (before > 0 || after < len(s))
}
