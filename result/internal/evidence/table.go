package evidence

import (
	"crypto/x509"
	"encoding/json"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
)

// A row describes a type of error that names something. Name returns what an error names, and
// reports whether the error has the type. No argument matches an empty name.
type row struct {
	name      func(error) (name string, named bool)
	spellings func(name string) []spelling
}

// rows lists error types of the standard library that name something.
var rows = []row{
	names(paths, func(e *fs.PathError) string { return e.Path }),
	names(paths, func(e *os.LinkError) string { return e.Old }),
	names(paths, func(e *os.LinkError) string { return e.New }),
	names(programs, func(e *exec.Error) string { return e.Name }),
	names(values, func(e *strconv.NumError) string { return e.Num }),
	names(values, func(e *time.ParseError) string { return e.Value }),
	names(values, func(e *time.ParseError) string { return e.Layout }),
	names(urls, func(e *url.Error) string { return e.URL }),
	names(values, func(e url.EscapeError) string { return string(e) }),
	names(values, func(e url.InvalidHostError) string { return string(e) }),
	names(hosts, func(e *net.DNSError) string { return strings.TrimSuffix(e.Name, ".") }),
	names(values, func(e *net.ParseError) string { return e.Text }),
	names(values, func(e *net.AddrError) string { return e.Addr }),
	names(values, func(e net.UnknownNetworkError) string { return string(e) }),
	names(hosts, func(e x509.HostnameError) string { return e.Host }),
}

// names returns the row for the type T.
func names[T error](spellings func(string) []spelling, name func(T) string) row {
	return row{spellings: spellings, name: func(err error) (string, bool) {
		e, ok := err.(T) //nolint:errorlint // one link of the chain
		if !ok {
			return "", false
		}
		return name(e), true
	}}
}

// parsers find in a malformed argument the error that they found in the tool. A text of JSON has to begin like one.
var parsers = []func(text string) error{
	func(text string) error {
		if !isJSON(text) {
			return nil
		}
		return json.Unmarshal([]byte(text), new(any))
	},
	func(text string) error { return second(syntax.Parse(text, syntax.Perl)) },
	func(text string) error { return second(netip.ParseAddr(text)) },
	func(text string) error { return second(netip.ParsePrefix(text)) },
}

func second[T any](_ T, err error) error { return err }

// malformed returns the argument in which a parser finds the same error, and what the error names in
// it. Known reports whether the error has the type of a parser's.
func (a *Arguments) malformed(err error) (l *leaf, name string, known bool) {
	e, ok := err.(*syntax.Error) //nolint:errorlint // one link of the chain
	if ok {
		name = e.Expr
	}
	for _, parse := range parsers {
		if reflect.TypeOf(parse("[(")) == reflect.TypeOf(err) && l == nil {
			l, known = a.find([]spelling{func(l *leaf) bool {
				found := parse(l.text)
				//nolint:errorlint // what the parser returns
				if own, ok := found.(*syntax.Error); ok && strings.Contains(e.Expr, own.Expr) {
					own.Expr = e.Expr // the tool may have added to it
				}
				return reflect.DeepEqual(any(found), any(err))
			}}, len(name)), true
		}
	}
	return l, name, known
}

// mistyped returns the argument that does not fit its Go type in a handler that decodes the
// arguments itself: it matches the error's field, kind and offset.
func (a *Arguments) mistyped(e *json.UnmarshalTypeError) *leaf {
	a.read()
	kind, _, _ := strings.Cut(e.Value, " ") // "number 1.5"
	member := e.Field[strings.LastIndexByte(e.Field, '.')+1:]
	for i := range a.leaves {
		if l := &a.leaves[i]; l.path != "" && l.kind == kind && l.end == e.Offset && strings.EqualFold(l.name, member) {
			return l
		}
	}
	return nil
}
