package codes

import (
	"cmp"
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// files hold tables. A line "table" and the kind of its codes begins one, or "library" and import
// paths. The lines below have a class, codes separated by spaces, and a comment, separated by tabs.
// In the table text, the codes are one text. In the table stem, words instead of the comment have
// to stand beside one of the codes. A range of numbers is looked up last; a number that no row of a
// table with a mask has is looked up again with only these bits. Other lines are comments.
//
//go:embed *.tsv
var files embed.FS

// A Table holds codes of one kind or numbers that a group of libraries shares, with their classes.
type Table struct {
	name      string // the kind, or import paths without the major version, separated by spaces
	isLibrary bool
	rows      []row
	classes   map[string]class.Class
	numbers   map[int64]class.Class
	ranges    []numbers
	mask      int64
}

// A row holds codes or patterns of one class, separated by spaces.
type row struct {
	class         class.Class
	codes, beside string
}

type numbers struct {
	class    class.Class
	from, to int64
}

// tables are the tables in the order of the files.
var tables = sync.OnceValue(func() (all []*Table) {
	entries, _ := files.ReadDir(".")
	for _, entry := range entries {
		text, _ := files.ReadFile(entry.Name())
		for line := range strings.Lines(string(text)) {
			switch f := strings.Split(strings.TrimSuffix(line, "\n")+"\t", "\t"); {
			case line[0] == '#' || len(f) < 3:
			case f[0] == "table", f[0] == "library":
				all = append(all, &Table{name: f[1], isLibrary: f[0] == "library", classes: map[string]class.Class{}, numbers: map[int64]class.Class{}})
			default:
				all[len(all)-1].add(f[0], f[1], f[2])
			}
		}
	}
	return all
})

var byName = sync.OnceValue(func() map[string]*Table {
	m := map[string]*Table{}
	for _, t := range tables() {
		m[t.name] = t
	}
	return m
})

// maxSentinel is the maximum length of a sentinel's text, in bytes. The longest has 67.
const maxSentinel = 128

func (t *Table) add(name, codes, beside string) {
	if name == "mask" {
		t.mask, _ = strconv.ParseInt(codes, 0, 64)
		return
	}
	c := classes[name]
	t.rows = append(t.rows, row{c, codes, beside})
	if t.name == "text" {
		t.classes[codes] = c
		return
	}
	for code := range strings.FieldsSeq(codes) {
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
	i := slices.IndexFunc(tables(), func(t *Table) bool { return t.isLibrary && contains(t.name, pkg) })
	if i < 0 {
		return nil
	}
	return tables()[i]
}

// contains reports whether packages, a list of paths without versions, has pkg or a parent.
func contains(packages, pkg string) bool {
	for path := range strings.FieldsSeq(packages) {
		if rest, ok := strings.CutPrefix(pkg, path); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// first returns the class of the first row with a code that matches, or [class.Unknown].
func first(table string, matches func(code string) bool) class.Class {
	for _, row := range byName()[table].rows {
		for code := range strings.FieldsSeq(row.codes) {
			if matches(code) {
				return row.class
			}
		}
	}
	return class.Unknown
}

// FromPackage classifies the errors of packages that have only one kind of error.
func FromPackage(pkg string) class.Class {
	return first("package", func(path string) bool { return contains(path, pkg) })
}

// IsOwnLogin reports whether the login and the access of a package's errors are the server's own.
func IsOwnLogin(pkg string) bool {
	return first("own", func(path string) bool { return contains(path, pkg) }) != class.Unknown
}

// FromText classifies a well-known sentinel of a library by its whole text.
func FromText(text string) class.Class {
	if len(text) > maxSentinel {
		return class.Unknown // without hashing all of it
	}
	return byName()["text"].classes[text]
}

// FromLibraryText classifies the text of a library's error: a sentinel, or an error from Redis,
// which begins with a code.
func FromLibraryText(pkg, text string) class.Class {
	code, _, _ := strings.Cut(text, " ")
	c := cmp.Or(FromText(text), byName()["resp"].classes[code])
	if c == class.Unknown && (strings.Contains(pkg, "redis") || strings.Contains(pkg, "valkey")) {
		return byName()["redis"].classes[code]
	}
	return c
}

// FromMessage classifies a gRPC message that is more specific than its code: a sentinel of etcd, or
// gRPC's size limit, whose code is that of a rate limit.
func FromMessage(text string) class.Class {
	for _, start := range []string{"received message larger", "trying to send message larger", "received message after decompression larger"} {
		if strings.HasPrefix(text, "grpc: "+start+" than max") {
			return class.OutOfRange
		}
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return FromText(text)
	}
	return class.Unknown
}

// FromReply classifies an SMTP reply by the enhanced code at the beginning of text, or else by
// code. An enhanced code whose first digit is not that of code is ignored. A code of 0 means none.
func FromReply(code int64, text string) class.Class {
	enhanced, _, _ := strings.Cut(text, " ")
	if code == 0 || strings.HasPrefix(enhanced, strconv.FormatInt(code, 10)[:1]) {
		matches := func(pattern string) bool { ok, _ := path.Match(pattern, enhanced); return ok }
		if c := first("mail", matches); c != class.Unknown {
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
	return cmp.Or(byName()["state"].classes[state], byName()["state"].classes[state[:2]])
}

// Named returns the class with a name in the tables, and whether there is one.
func Named(name string) (c class.Class, ok bool) {
	c, ok = classes[name]
	return c, ok
}

var classes = map[string]class.Class{
	"ambiguous": class.Ambiguous, "canceled": class.Canceled, "conflict": class.Conflict, "declined": class.Declined, "denied": class.Denied, "exhausted": class.Exhausted,
	"exists": class.Exists, "file_invalid": class.FileInvalid, "file_too_large": class.FileTooLarge, "in_progress": class.InProgress,
	"insufficient_scope": class.InsufficientScope, "internal": class.Internal, "invalid": class.Invalid, "limit": class.Limit, "listed": class.Internal,
	"missing": class.Missing, "not_found": class.NotFound, "not_sent": class.NotSent, "out_of_range": class.OutOfRange, "over_limit": class.OverLimit,
	"overloaded": class.Overloaded, "precondition": class.Precondition, "reply_lost": class.ReplyLost, "throttled": class.Throttled,
	"timed_out": class.TimedOut, "unauthenticated": class.Unauthenticated, "unavailable": class.Unavailable, "unparsed": class.Unparsed,
	"untrusted": class.Untrusted,
	"statement": class.Statement, "forbidden": class.Forbidden,
}
