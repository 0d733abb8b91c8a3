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
		return f.user(start, value, quoted)
	case s[i] == '=' || s[value] == '-':
	case secretName(name, false) || dashes == 1 && isPasswordFlag(name, s[:from]):
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

// user reads a user and a password separated by a colon, and returns where to continue:
// after the password, or at start if there is none.
func (f *finder) user(start, value int, quoted bool) int {
	s := f.text
	colon := strings.IndexByte(s[value:min(len(s), value+maxName)], ':')
	if colon <= 0 || strings.HasPrefix(s[value+colon:], "://") || strings.ContainsAny(s[value+1:value+colon], " \t\r\n") {
		return start
	}
	password := value + colon + 1
	if quoted {
		return f.add(password, valueEnd(s, value))
	}
	return f.add(password, valueEnd(s, password))
}

// isUserFlag reports whether the value of a flag is a user and a password separated by a
// colon, as in curl.
func isUserFlag(name string, dashes int) bool {
	return dashes == 1 && (name == "u" || name == "U") || dashes == 2 && (name == "user" || name == "proxy-user")
}

// passwordFlags are commands with a one-letter password flag.
var passwordFlags = [...][2]string{
	{"sshpass", "p"},
	{"mysql", "p"},
	{"mysqldump", "p"},
	{"mysqladmin", "p"},
	{"docker login", "p"},
	{"podman login", "p"},
	{"helm registry login", "p"},
	{"az login", "p"},
	{"redis-cli", "a"},
	{"mosquitto_", "P"}, //nolint:misspell // the name of a program
	{"sqlcmd", "P"},
	{"bcp", "P"},
	{"ldapsearch", "w"},
	{"mongosh", "p"},
	{"mongo", "p"},
	{"unzip", "P"},
	{"openssl", "k"},
	{"openssl", "passin"},
	{"openssl", "passout"},
}

// isPasswordFlag reports whether a flag is the password flag of the command before it.
func isPasswordFlag(name, before string) bool {
	before = before[max(0, len(before)-maxName):]
	for _, known := range passwordFlags {
		if name == known[1] && strings.Contains(before, known[0]) {
			return true
		}
	}
	return false
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
