package evidence

import (
	"net"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// shortText is the minimum byte length of a text that is searched for in a longer one, unless it
// begins with %. Most texts contain shorter ones by chance.
const shortText = 4

// A spelling reports whether an argument is a spelling of one name. The spellings of a name are
// ordered by strength of evidence: of two arguments, the better match is at fault.
type spelling func(*leaf) bool

// values returns the spellings of a text or number: itself; a list that includes it; a text that
// the tool has extended, such as a date by a time; and a longer text that contains it.
func values(name string) []spelling {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil
	}
	return []spelling{
		func(l *leaf) bool { return l.text == name || jsonvalue.SameNumber(l.text, name) },
		func(l *leaf) bool {
			return l.kind == "string" && slices.ContainsFunc(strings.FieldsFunc(l.text, isSeparator), func(item string) bool {
				return strings.TrimSpace(item) == name
			})
		},
		func(l *leaf) bool {
			return l.kind == "string" && (begins(name, l.text) || len(name) >= shortText && holds(l.text, name) ||
				strings.HasPrefix(name, "%") && strings.Contains(l.text, name))
		},
	}
}

func isSeparator(r rune) bool { return strings.ContainsRune(",;|\n", r) }

// begins reports whether text goes on after part (not short), and not within a word or number.
func begins(text, part string) bool {
	rest, ok := strings.CutPrefix(text, part)
	if !ok || len(part) < shortText || rest == "" {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(part)
	next, _ := utf8.DecodeRuneInString(rest)
	return !isAlnum(last) || !isAlnum(next) || unicode.IsDigit(last) != unicode.IsDigit(next)
}

// paths returns the spellings of a path: the path, cleaned or not; the part before the tool added
// its directory or an extension; a parent directory; and a text that contains the path.
func paths(name string) []spelling {
	named := cleanPath(name)
	if named == "" {
		return nil
	}
	base := path.Base(named)
	stem := strings.TrimSuffix(named, path.Ext(named))
	return []spelling{
		func(l *leaf) bool { return cleanPath(l.text) == named },
		func(l *leaf) bool {
			// without what leaves the tool's directory, which the tool may forbid
			inside := strings.TrimPrefix(path.Clean("/"+cleanPath(l.text)), "/")
			return inside != "" && (named == inside || strings.HasSuffix(named, "/"+inside) ||
				strings.HasSuffix(stem, "/"+inside) || strings.HasPrefix(base, inside+"."))
		},
		func(l *leaf) bool { // a directory that is not near the root of a disk
			dir := cleanPath(l.text)
			return strings.Count(dir, "/") > 1 && strings.HasPrefix(named, dir+"/")
		},
		func(l *leaf) bool { // a command
			return len(named) >= shortText && strings.ContainsRune(named, '/') && holds(l.text, strings.TrimSpace(name))
		},
	}
}

// cleanPath returns a path in its shortest form, with slashes, or "".
func cleanPath(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsRune(text, '\n') {
		return ""
	}
	if u, err := url.Parse(text); err == nil && u.Scheme == "file" {
		text = u.Path
	}
	text = path.Clean(strings.ReplaceAll(strings.TrimPrefix(text, "~/"), `\`, "/"))
	if text == "." || text == "/" {
		return ""
	}
	return text
}

// programs returns the spellings of a program: those of its name, and a command that starts it.
func programs(name string) []spelling {
	return append(values(name), func(l *leaf) bool {
		first, _, _ := strings.Cut(l.text, " ")
		return name != "" && first != "" && path.Base(first) == path.Base(name)
	})
}

// hosts returns the spellings of a host: a URL, address or mail address with it; itself; and the
// first label of its name. A one-word host may be anything, so the argument must be named like one.
func hosts(name string) []spelling {
	host := strings.ToLower(name)
	label, _, dotted := strings.Cut(host, ".")
	if host == "" {
		return nil
	}
	return []spelling{
		func(l *leaf) bool { return hostOf(l.text) == host },
		func(l *leaf) bool {
			return strings.TrimSuffix(strings.ToLower(l.text), ".") == host && (strings.ContainsAny(host, ".:") ||
				isOneOf(" host hostname server domain url address ", l.name))
		},
		func(l *leaf) bool { return dotted && len(label) >= shortText && strings.ToLower(l.text) == label },
	}
}

// hostOf returns the host in a URL, a host with a port, or a mail address, in lower case, or "".
func hostOf(text string) string {
	_, host, _ := strings.Cut(text, "@")
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		host = strings.TrimSuffix(u.Hostname(), ".")
	} else if before, _, err := net.SplitHostPort(text); err == nil {
		host = before
	}
	return strings.ToLower(host)
}

// urls returns the spellings of a URL: itself, a URL that the tool extended, and those of its host.
func urls(name string) []spelling {
	name = strings.TrimSpace(name)
	all := []spelling{
		func(l *leaf) bool { return l.text == name && name != "" },
		func(l *leaf) bool { return strings.Contains(l.text, "://") && strings.HasPrefix(name, l.text) },
	}
	if u, err := url.Parse(name); err == nil {
		all = append(all, hosts(u.Hostname())...)
	}
	return all
}

// holds reports whether text contains word, which is not empty, other than inside a longer word.
func holds(text, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	for _, rest, ok := strings.Cut(text, word); ok; _, rest, ok = strings.Cut(rest, word) {
		before, _ := utf8.DecodeLastRuneInString(text[:len(text)-len(rest)-len(word)])
		behind, _ := utf8.DecodeRuneInString(rest)
		if (!isAlnum(before) || !isAlnum(first)) && (!isAlnum(last) || !isAlnum(behind)) {
			return true
		}
	}
	return false
}

func isAlnum(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
