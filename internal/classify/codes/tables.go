package codes

import (
	"cmp"
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// Rows calls f for each row of the files in a folder, in the order of their names. The columns are
// separated by tabs; empty ones follow. Lines that begin with # are comments.
func Rows(files embed.FS, folder string, f func(columns []string)) {
	entries, _ := files.ReadDir(folder)
	for _, entry := range entries {
		text, _ := files.ReadFile(strings.TrimPrefix(folder+"/"+entry.Name(), "./"))
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
				f(strings.Split(line+"\t\t", "\t"))
			}
		}
	}
}

// files hold tables. A row "table" and the kind of its codes begins one, or "library" and import
// paths. The rows below have a class, codes separated by spaces, and a comment. In the tables text
// and message, the codes are one text. In the table stem, words instead of the comment have to stand
// beside one of the codes. The first row with a number counts; a number that no row of a table with a
// mask, the number in its row "mask", has is looked up again with only these bits.
//
//go:embed *.tsv
var files embed.FS

// A Table holds codes of one kind or numbers that a group of libraries shares, with their classes.
type Table struct {
	name    string
	rows    []row // in the order of the file
	classes map[string]class.Class
	numbers []numbers
	mask    int64
}

// A row holds codes or patterns of one class.
type row struct {
	class         class.Class
	codes, beside []string
}

// Numbers is a range of them, or one.
type numbers struct {
	class    class.Class
	from, to int64
}

// A library is the tables by their names, and by the import paths of the libraries.
type library struct{ tables, paths map[string]*Table }

var all = sync.OnceValue(func() library {
	l, t := library{map[string]*Table{}, map[string]*Table{}}, (*Table)(nil)
	Rows(files, ".", func(f []string) {
		switch f[0] {
		case "table", "library":
			t = &Table{name: f[1], classes: map[string]class.Class{}}
			names := l.tables
			if f[0] == "library" {
				names = l.paths
			}
			for name := range strings.FieldsSeq(f[1]) {
				names[name] = t
			}
		case "mask":
			t.mask, _ = strconv.ParseInt(f[1], 0, 64)
		default:
			t.add(f[0], f[1], strings.Fields(f[2]))
		}
	})
	return l
})

func (t *Table) add(name, text string, beside []string) {
	c, list := class.Named(name), strings.Fields(text)
	if t.name == "text" || t.name == "message" {
		list = []string{text}
	}
	t.rows = append(t.rows, row{c, list, beside})
	for _, code := range list {
		t.classes[code] = c
		first, last, _ := strings.Cut(code, "..")
		if from, err := strconv.ParseInt(first, 0, 64); err == nil {
			to, _ := strconv.ParseInt(cmp.Or(last, first), 0, 64)
			t.numbers = append(t.numbers, numbers{c, from, to})
		}
	}
}

// Class returns the class of a number.
func (t *Table) Class(n int64) class.Class {
	for _, r := range t.numbers {
		if r.from <= n && n <= r.to {
			return r.class
		}
	}
	if n&t.mask != n { // of a table without a mask it is 0, which has no row
		return t.Class(n & t.mask)
	}
	return class.Unknown
}

// upward returns what a map has for an import path, or else for the longest one above it, as of a
// subpackage or a major version.
func upward[T any](pkg string, paths map[string]T) (found T) {
	for ; pkg != ""; pkg = pkg[:max(strings.LastIndexByte(pkg, '/'), 0)] {
		if found, ok := paths[pkg]; ok {
			return found
		}
	}
	return found
}

// TableFor returns the table for an import path, also of a major version or a subpackage, or nil if
// there is none. The table "jsonrpc" holds the numbers that JSON-RPC 2.0 defines.
func TableFor(pkg string) *Table { return upward(pkg, all().paths) }

// in returns the class of a code in a table of such codes. A text that is longer than any code is not hashed.
func in(table, code string) class.Class {
	if len(code) > MaxCode {
		return class.Unknown
	}
	return all().tables[table].classes[code]
}

// first returns the class of the first row of a table with a pattern that matches the text.
func first(table, text string) class.Class {
	for _, row := range all().tables[table].rows {
		if slices.ContainsFunc(row.codes, func(pattern string) bool { return like(pattern, text) }) {
			return row.class
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
	if inner, isLast := strings.CutSuffix(pattern[i+1:], "*"); ok && isLast {
		ok = strings.Contains(rest, inner)
	} else if ok {
		rest, ok = strings.CutSuffix(rest, inner)
	}
	isIn := func(system string) bool { return strings.Contains(rest, system) }
	return ok && (pattern[i] == '*' || slices.ContainsFunc(all().tables["systems"].rows[0].codes, isIn))
}

// A List is a table of words.
type List string

// The lists of words in names.
const (
	Periods   List = "periods"   // a day or longer
	Batches   List = "batches"   // several writes
	Attempts  List = "attempts"  // attempts at the same
	Retryable List = "retryable" // folded names of types that declare that a retry may help
	Permanent List = "permanent" // and of those that declare that no retry helps
	Done      List = "done"      // what was done
	Requests  List = "requests"  // what was to be done
	Labels    List = "labels"    // lower-case words that precede a status or a message
)

// Has reports whether a word is in the list.
func (l List) Has(word string) bool { return in(string(l), word) != class.Unknown }

// In reports whether one of the words of a name is in the list.
func (l List) In(name string) bool { return slices.ContainsFunc(stems(name), l.Has) }

// FromPackage classifies the errors of packages that have only one kind of error.
func FromPackage(pkg string) class.Class { return upward(pkg, all().tables["package"].classes) }

// FromType classifies a type of the standard library's errors.
func FromType(pkg, name string) class.Class { return in("type", pkg+"."+name) }

// IsOwnLogin reports whether the login and the access of a package's errors are the server's own.
func IsOwnLogin(pkg string) bool { return upward(pkg, all().tables["own"].classes) != class.Unknown }

// IsLast reports whether errors of a type wrap the last of several attempts.
func IsLast(pkg, name string) bool { return in("last", pkg+"."+name) != class.Unknown }

// FromText classifies a well-known sentinel of a library by its whole text.
func FromText(text string) class.Class { return in("text", text) }

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
	return first("message", text)
}

// FromReply classifies an SMTP reply by the enhanced code at the beginning of text, or else by
// code. An enhanced code whose first digit is not that of code is ignored. A code of 0 means none.
func FromReply(code int64, text string) class.Class {
	enhanced, _, _ := strings.Cut(text, " ")
	if code == 0 || strings.HasPrefix(enhanced, strconv.FormatInt(code, 10)[:1]) {
		if c := first("mail", enhanced); c != class.Unknown {
			return c
		}
	}
	return TableFor("github.com/emersion/go-smtp").Class(code)
}

// FromSQLState classifies a SQLSTATE by the whole code if it is known, otherwise by its class. State
// 57014, query_canceled, has several causes, which PostgreSQL's fixed texts distinguish.
func FromSQLState(state string, text func() string) class.Class {
	if len(state) != 5 {
		return class.Unknown
	} else if state == "57014" && strings.Contains(text(), " timeout") { // a statement timeout
		return class.NotSent
	}
	return cmp.Or(in("state", state), in("state", state[:2]))
}
