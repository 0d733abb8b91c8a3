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

// A row is a type of error that names something. It returns what an error names, and how the argument at fault may
// spell it, and reports whether the error has the type. No argument matches an empty name.
type row func(error) (name string, spellings []spelling, named bool)

// rows lists error types of the standard library that name something, or that a parser finds in an argument too.
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
	parsed(func(text string) (v any, err error) {
		if isJSON(text) {
			err = json.Unmarshal([]byte(text), &v)
		}
		return v, err
	}),
	parsed(func(text string) (*syntax.Regexp, error) { return syntax.Parse(text, syntax.Perl) }),
	parsed(netip.ParseAddr),
	parsed(netip.ParsePrefix),
	mistyped,
}

func names[T error](spellings func(string) []spelling, name func(T) string) row {
	return func(err error) (string, []spelling, bool) {
		e, ok := err.(T) //nolint:errorlint // one link of the chain
		if !ok {
			return "", nil, false
		}
		return name(e), spellings(name(e)), true
	}
}

// parsed returns the row for the errors of a parser: in the argument, it finds the same error.
func parsed[T any](parse func(text string) (T, error)) row {
	return func(err error) (name string, spellings []spelling, named bool) {
		if _, other := parse("[("); reflect.TypeOf(other) != reflect.TypeOf(err) {
			return "", nil, false
		}
		e, isExpression := err.(*syntax.Error) //nolint:errorlint // one link of the chain
		if isExpression {
			name = e.Expr
		}
		return name, []spelling{func(l *leaf) bool {
			_, found := parse(l.text)
			//nolint:errorlint // what the parser returns
			if own, ok := found.(*syntax.Error); ok && strings.Contains(e.Expr, own.Expr) {
				own.Expr = e.Expr // the tool may have added to it
			}
			return l.text != "" && reflect.DeepEqual(any(found), any(err))
		}}, true
	}
}

// mistyped is the row for an argument that does not fit its Go type in a handler that decodes the
// arguments itself: it matches the error's field, kind and offset.
func mistyped(err error) (name string, spellings []spelling, named bool) {
	e, ok := err.(*json.UnmarshalTypeError) //nolint:errorlint // one link of the chain
	if !ok {
		return "", nil, false
	}
	kind, _, _ := strings.Cut(e.Value, " ") // "number 1.5"
	member := e.Field[strings.LastIndexByte(e.Field, '.')+1:]
	return "", []spelling{func(l *leaf) bool {
		return l.path != "" && l.kind == kind && l.end == e.Offset && strings.EqualFold(l.name, member)
	}}, true
}
