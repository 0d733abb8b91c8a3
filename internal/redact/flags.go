package redact

import "strings"

// flag reads a command-line flag that begins at i: --password x, -u user:pass. One with an
// equals sign is an assignment.
func (f *finder) flag(i int) int {
	s := f.text
	from := i
	for i < len(s) && s[i] == '-' {
		i++
	}
	dashes, start := i-from, i
	if dashes == 1 && len(f.command.flags) > 0 {
		if to := f.programFlag(i); to > i {
			return to
		}
	}
	for i < len(s) && (isAlnum(s[i]) || s[i] == '-' || s[i] == '.') {
		i++
	}
	name := s[start:i]
	if name == "" || dashes > 2 || i >= len(s) {
		return start
	}
	value := i
	for value < len(s) && strings.IndexByte(" \t=", s[value]) >= 0 {
		value++
	}
	quoted := value < len(s) && strings.IndexByte(`"'`, s[value]) >= 0
	switch {
	case value == i && !quoted || value == len(s):
	case isUserFlag(name, dashes):
		if to := f.flagValue(passwordFlag{mark: ':'}, value); to > value {
			return to
		}
	case s[i] == '=' || s[value] == '-':
	case secretName(name, false):
		if quoted {
			value++
			return f.add(value, quoteEnd(s, value, s[value-1]))
		}
		if end := valueEnd(s, value); !isStatus(s[value:end], true) { // "the --token flag"
			return f.add(value, end)
		}
	}
	return start
}

// isUserFlag reports whether the value of a flag is a user and a password separated by a
// colon, as in curl.
func isUserFlag(name string, dashes int) bool {
	return dashes == 1 && (name == "u" || name == "U") || dashes == 2 && (name == "user" || name == "proxy-user")
}

// valueEnd returns the end of the word at i, including its quotes.
func valueEnd(s string, i int) int {
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		return quoteEnd(s, i+1, s[i])
	}
	for i < len(s) && strings.IndexByte(" \t\r\n\"'`<>", s[i]) < 0 {
		i++
	}
	return i
}

// quoteEnd returns the end of the quoted text at i, or of the whole text if the quote is
// not closed.
func quoteEnd(s string, i int, quote byte) int {
	for ; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
	}
	return min(i, len(s))
}
