package codes

import (
	"cmp"
	"embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// files hold tables. A line "table" and the kind of its codes begins one, or "library" and import
// paths. The lines below have a class, codes separated by spaces, and a comment, separated by tabs.
// In the tables text and message, the codes are one text. In the table stem, words instead of the
// comment have to stand beside one of the codes. A range of numbers is looked up last; a number that
// no row of a table with a mask has is looked up again with only these bits. Other lines are comments.
//
//go:embed *.tsv
var files embed.FS

// A Table holds codes of one kind or numbers that a group of libraries shares, with their classes.
type Table struct {
	name    string
	paths   []string // of libraries, without the major version
	rows    []row    // in the order of the file
	classes map[string]class.Class
	numbers map[int64]class.Class
	ranges  []numbers
	mask    int64
}

// A row holds codes or patterns of one class.
type row struct {
	class         class.Class
	codes, beside []string
}

type numbers struct {
	class    class.Class
	from, to int64
}

// A library is the tables of the files, in their order, and by name.
type library struct {
	tables []*Table
	byName map[string]*Table
	stems  map[string]class.Class // the table word, also with the last word in the singular
}

var all = sync.OnceValue(func() *library {
	l := &library{byName: map[string]*Table{}}
	var t *Table
	entries, _ := files.ReadDir(".")
	for _, entry := range entries {
		text, _ := files.ReadFile(entry.Name())
		for line := range strings.Lines(string(text)) {
			switch f := strings.Split(strings.TrimSuffix(line, "\n")+"\t", "\t"); {
			case line[0] == '#' || len(f) < 3:
			case f[0] == "table", f[0] == "library":
				t = &Table{name: f[1], classes: map[string]class.Class{}, numbers: map[int64]class.Class{}}
				if l.tables, l.byName[t.name] = append(l.tables, t), t; f[0] == "library" {
					t.paths = strings.Fields(t.name)
				}
			case f[0] == "mask":
				t.mask, _ = strconv.ParseInt(f[1], 0, 64)
			default:
				t.add(f[0], f[1], strings.Fields(f[2]))
			}
		}
	}
	l.stems = maps.Clone(l.byName["word"].classes)
	for code, c := range l.byName["word"].classes {
		l.stems[singular(code)] = c
	}
	return l
})

func (t *Table) add(name, text string, beside []string) {
	c, _ := class.Named(name)
	list := strings.Fields(text)
	if t.name == "text" || t.name == "message" {
		list = []string{text}
	}
	t.rows = append(t.rows, row{c, list, beside})
	for _, code := range list {
		first, last, isRange := strings.Cut(code, "..")
		n, err := strconv.ParseInt(first, 0, 64)
		to, _ := strconv.ParseInt(last, 0, 64)
		switch t.classes[code] = c; {
		case isRange:
			t.ranges = append(t.ranges, numbers{c, n, to})
		case err == nil:
			t.numbers[n] = c
		}
	}
}

// Class returns the class of a number.
func (t *Table) Class(n int64) class.Class {
	if c, ok := t.numbers[n]; ok {
		return c
	}
	if i := slices.IndexFunc(t.ranges, func(r numbers) bool { return r.from <= n && n <= r.to }); i >= 0 {
		return t.ranges[i].class
	}
	if n&t.mask != n { // of a table without a mask it is 0, which has no row
		return t.Class(n & t.mask)
	}
	return class.Unknown
}

// TableFor returns the table for an import path, also of a major version or a subpackage, or nil if
// there is none. The table "jsonrpc" holds the numbers that JSON-RPC 2.0 defines.
func TableFor(pkg string) *Table {
	for _, t := range all().tables {
		if slices.ContainsFunc(t.paths, func(path string) bool { return isIn(path, pkg) }) {
			return t
		}
	}
	return nil
}

// isIn reports whether a package is the one with a path, a major version of it, or below it.
func isIn(path, pkg string) bool {
	rest, ok := strings.CutPrefix(pkg, path)
	return ok && (rest == "" || rest[0] == '/')
}

// in returns the class of a code in a table of such codes.
func in(table, code string) class.Class { return all().byName[table].classes[code] }

// first returns the class of the first row of a table with a code that matches the text, or [class.Unknown].
func first(table, text string, matches func(code, text string) bool) class.Class {
	for _, row := range all().byName[table].rows {
		for _, code := range row.codes {
			if matches(code, text) {
				return row.class
			}
		}
	}
	return class.Unknown
}

// like reports whether a text is that of a pattern. Its * stands for any text, and its @ for one that
// contains the name of a system: a product can be unavailable in another sense.
func like(pattern, text string) bool {
	i := strings.IndexAny(pattern, "*@")
	if i < 0 {
		return text == pattern
	}
	rest, ok := strings.CutPrefix(text, pattern[:i])
	if ok {
		rest, ok = strings.CutSuffix(rest, pattern[i+1:])
	}
	holds := func(system, text string) bool { return strings.Contains(text, system) }
	return ok && (pattern[i] == '*' || first("systems", rest, holds) != class.Unknown)
}

// A List is a table of words.
type List string

// The lists of words in names.
const (
	Periods  List = "periods"  // a day or longer
	Batches  List = "batches"  // several writes
	Attempts List = "attempts" // attempts at the same
	Done     List = "done"     // what was done
	Requests List = "requests" // what was to be done
	Labels   List = "labels"   // lower-case words that precede a status or a message
)

// Has reports whether a word is in the list.
func (l List) Has(word string) bool { return in(string(l), word) != class.Unknown }

// In reports whether one of the words of a name is in the list.
func (l List) In(name string) bool { return slices.ContainsFunc(stems(name), l.Has) }

// FromPackage classifies the errors of packages that have only one kind of error.
func FromPackage(pkg string) class.Class { return first("package", pkg, isIn) }

// FromType classifies a type of the standard library's errors.
func FromType(pkg, name string) class.Class { return in("type", pkg+"."+name) }

// IsOwnLogin reports whether the login and the access of a package's errors are the server's own.
func IsOwnLogin(pkg string) bool { return first("own", pkg, isIn) != class.Unknown }

// maxSentinel is the maximum length of a sentinel's text, in bytes. The longest has 67.
const maxSentinel = 128

// FromText classifies a well-known sentinel of a library by its whole text.
func FromText(text string) class.Class {
	if len(text) > maxSentinel {
		return class.Unknown // without hashing all of it
	}
	return in("text", text)
}

// FromLibraryText classifies the text of a library's error: a sentinel, or an error from Redis,
// which begins with a code.
func FromLibraryText(pkg, text string) class.Class {
	code, _, _ := strings.Cut(text, " ")
	c := cmp.Or(FromText(text), in("resp", code))
	if c == class.Unknown && (strings.Contains(pkg, "redis") || strings.Contains(pkg, "valkey")) {
		return in("redis", code)
	}
	return c
}

// FromMessage classifies a gRPC message that is more specific than its code: the size limit, or a
// sentinel of etcd.
func FromMessage(text string) class.Class {
	if strings.HasPrefix(text, "etcdserver: ") {
		return FromText(text)
	}
	return first("message", text, like)
}

// FromReply classifies an SMTP reply by the enhanced code at the beginning of text, or else by
// code. An enhanced code whose first digit is not that of code is ignored. A code of 0 means none.
func FromReply(code int64, text string) class.Class {
	enhanced, _, _ := strings.Cut(text, " ")
	if code == 0 || strings.HasPrefix(enhanced, strconv.FormatInt(code, 10)[:1]) {
		if c := first("mail", enhanced, like); c != class.Unknown {
			return c
		}
	}
	return TableFor("github.com/emersion/go-smtp").Class(code)
}

// FromSQLState classifies a SQLSTATE (ISO/IEC 9075, with PostgreSQL's own codes) by the whole code
// if it is known, otherwise by its class. A statement that failed in the database changed nothing,
// unless its state is internal, canceled or exhausted; if the connection broke, the effect is
// unknown. The statement, the schema and the login are the server's own, so errors in them are
// internal; data and constraints concern what the caller sent.
//
// State 57014, query_canceled, has several causes, which PostgreSQL's fixed texts distinguish.
func FromSQLState(state string, text func() string) class.Class {
	if len(state) != 5 {
		return class.Unknown
	}
	if state == "57014" && strings.Contains(text(), " timeout") { // a statement timeout
		return class.NotSent
	}
	return cmp.Or(in("state", state), in("state", state[:2]))
}
