package redact

import (
	"slices"
	"strings"
)

const (
	// maxValue is the number of bytes of a value that may not be a secret that are read.
	// Chosen: keys are shorter.
	maxValue = 128
	// shortProse is the minimum length, in bytes, of a secret after a colon or an equals
	// sign in prose. Chosen: shorter values are words of the sentence.
	shortProse = 6
)

// An assigned is a name with its value.
type assigned struct {
	name       string
	from       int  // where the name begins
	op         byte // the operator
	value      int  // where the value begins
	quote      byte // the quote around the value, or 0
	escaped    bool // the quote is escaped
	nameQuoted bool
	apart      bool // there is space before the value
	block      bool // the value is the indented lines below (YAML)
}

// assignment reads an operator at i between a name and a value, and returns where to
// continue: after the value if it is a secret.
func (f *finder) assignment(i int) int {
	a, ok := f.assigned(i)
	if !ok {
		return i + 1
	}
	s := f.text
	if a.op == ':' && strings.EqualFold(lastWord(a.name), "private-lines") {
		return f.puttyKey(a.value)
	}
	g := gradeOf(a.name, isNumber(s, a.value))
	if a.from > 0 && s[a.from-1] == '/' && f.isSlashFlag(a) {
		g = secret
	}
	if g < secret && (i < f.url && slices.Contains(urlNames[:], strings.ToLower(a.name)) || f.inPair(a)) {
		g = secret
	}
	if g == plain {
		return i + 1
	}
	if g != secret { // the part that was read shows a plain value
		head := finder{text: s[:min(len(s), a.value+maxValue)], url: f.url}
		end := head.valueEnd(a)
		if !looksRandom(s[a.value:end]) && (g != vendor || !isUUID(s[a.value:end])) {
			return i + 1
		}
		return f.add(a.value, f.valueEnd(a))
	}
	end := f.valueEnd(a)
	value := s[a.value:end]
	inProse := a.quote == 0 && (!a.nameQuoted || !isLiteral(value)) && a.apart && !f.isLine(a.from, end)
	if inProse && (len(value) < shortProse || isProse(value)) || isStatus(value, inProse || a.op == ':') {
		return i + 1
	}
	if strings.EqualFold(value, secureString) { // the secret follows
		return a.value
	}
	return f.add(a.value, end)
}

// assigned reads the name and the value around an operator at i, and reports whether there
// are any.
func (f *finder) assigned(i int) (a assigned, ok bool) {
	s := f.text
	a.op = s[i]
	if a.op == ',' && (i == 0 || isAlnum(s[i-1])) || a.op == '|' && (i+1 == len(s) || kinds[s[i+1]] != operator) {
		return a, false // the name is not in quotes, or it is no operator
	}
	if a.name, a.nameQuoted, a.from = f.name(i); a.name == "" {
		return a, false
	}
	op := i + 1
	for op < len(s) && strings.IndexByte(":=>|", s[op]) >= 0 {
		op++
	}
	start := op
	for start < len(s) && start < op+20 && (s[start] == ' ' || s[start] == '\t') {
		start++
	}
	if a.op == ':' {
		start, a.block = blockStart(s, start)
	}
	if start+1 < len(s) && s[start] == '@' && s[start+1] == '"' { // of C#
		start++
	}
	a.value = start
	quote := start
	for quote < len(s) && s[quote] == '\\' {
		quote++
	}
	if quote < len(s) && strings.IndexByte("\"'`", s[quote]) >= 0 {
		a.quote, a.value, a.escaped = s[quote], quote+1, quote > start
		if triple := strings.Repeat(s[quote:quote+1], 3); strings.HasPrefix(s[quote:], triple) {
			a.value = quote + len(triple)
		}
	}
	a.apart = a.value > op
	if a.value >= len(s) || s[a.value] == a.quote {
		return a, false
	}
	switch a.op {
	case ',': // of a call: setenv("NAME", "value")
		return a, a.nameQuoted && a.quote != 0 && a.from >= 2 && s[a.from-2] == '(' && !strings.Contains(a.name, " ")
	case '>': // of XML
		return a, a.from > 0 && s[a.from-1] == '<'
	case '|':
		return a, op > i+1
	}
	return a, true
}

// inPair reports whether an assignment is the value of a name-value pair whose name, the
// value of the assignment before it, is that of a secret.
func (f *finder) inPair(a assigned) bool {
	name := strings.ToLower(lastWord(a.name))
	if pairNames[name] {
		end := a.value
		for end < len(f.text) && end < a.value+maxName && (isNameByte(f.text[end]) || a.quote != 0 && f.text[end] == ' ') {
			end++
		}
		if (end == len(f.text) || f.text[end] != '=' && f.text[end] != ':') && secretName(f.text[a.value:end], false) {
			f.pair = end + maxName
		}
		return false
	}
	return a.from < f.pair && pairValues[name]
}

// blockStart returns where a value at i begins, and whether it is a block of YAML.
func blockStart(s string, i int) (start int, isBlock bool) {
	if i == len(s) || s[i] != '|' && s[i] != '>' {
		return i, false
	}
	line := i + 1
	for line < len(s) && line < i+4 && strings.IndexByte("+-123456789", s[line]) >= 0 {
		line++
	}
	start = line
	for start < len(s) && start < line+maxName && (s[start] == '\r' || s[start] == '\n' || s[start] == ' ') {
		start++
	}
	if line == len(s) || s[line] != '\n' && s[line] != '\r' || start == len(s) || s[start-1] != ' ' {
		return i, false
	}
	return start, true
}

// blockEnd returns the end of the lines that are indented at least as far as the one at i.
func blockEnd(s string, i int) int {
	indent := s[strings.LastIndexByte(s[:i], '\n')+1 : i]
	for end := i; ; {
		n := strings.IndexByte(s[end:], '\n')
		if n < 0 {
			return len(s)
		}
		if end += n; !strings.HasPrefix(s[end+1:], indent) {
			return end
		}
		end++
	}
}

// maxGap is the maximum length of the text between a name and its operator, in bytes. Chosen: it
// is a quote and a space.
const maxGap = 20

// name returns the name before an operator at i, which has up to four words, whether it is
// quoted, and where it begins.
func (f *finder) name(i int) (name string, quoted bool, from int) {
	s := f.text
	least := max(0, i-maxName)
	if n := len(f.spans); n > 0 {
		least = max(least, f.spans[n-1].To)
	}
	end, gap := i, max(least, i-maxGap-1)
	for end > gap && (s[end-1] == ' ' || s[end-1] == '\t' || s[end-1] == '?' || s[end-1] == ':' || s[end-1] == '+' || s[end-1] == '.') {
		end--
	}
	for end > gap && (s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '`' || s[end-1] == ']' || s[end-1] == '\\') {
		quoted = true
		end--
	}
	if end == least || i-end > maxGap {
		return "", false, i
	}
	from = end
	for words := 0; from > least; from-- {
		c := s[from-1]
		if c == ' ' {
			if words++; words == 4 || from-1 == least || !isNameByte(s[from-2]) {
				break
			}
		} else if !isNameByte(c) {
			break
		}
	}
	return s[from:end], quoted, from
}

// isNameByte reports whether a byte may be in a name. Bytes outside ASCII may.
func isNameByte(c byte) bool { return isAlnum(c) || c == '-' || c == '.' || c >= 0x80 }

// isNumber reports whether a number and nothing else begins at i.
func isNumber(s string, i int) bool {
	from := i
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' && i > from) {
		i++
	}
	return i > from && (i == len(s) || !isAlnum(s[i]) && s[i] != '-' && s[i] != '/')
}
