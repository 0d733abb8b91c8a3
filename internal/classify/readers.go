package classify

import (
	"cmp"
	"errors"
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// A reader classifies one error of a chain by one kind of evidence. It returns false to
// leave the error to the next reader.
type reader struct {
	applies func(t reflect.Type, info *typeInfo) bool // nil if it applies to all types
	read    func(*link) (finding, bool)
}

// readers returns the readers in their order: the first one that classifies an error wins. The ones
// that apply to a type are determined once.
func readers() []reader {
	return []reader{
		{has[interface{ Is(error) bool }], readAlias},
		{isMail, readMail},
		{nil, readNumbers},
		{nil, readAnswer},
		{isOneKind, readPackage},
		{has[interface{ Timeout() bool }], readTimeout},
		{func(_ reflect.Type, t *typeInfo) bool { return t.marked != class.Unknown }, readMarker},
		{isForeign, readLibraryText},
		{func(_ reflect.Type, t *typeInfo) bool { return t.named != class.Unknown }, readTypeName},
		{func(_ reflect.Type, t *typeInfo) bool { return t.isForeign }, readTokens},
		{has[interface{ Temporary() bool }], readTemporary},
	}
}

// inspect classifies one error of a chain without what it wraps.
func (t *typeInfo) inspect(err error, at place) (f finding) {
	defer func() { f.class = unsent(f.class, at.dialing) }()
	if t.isWrapper {
		return finding{class: wrapped(err), confidence: low}
	}
	if !t.isForeign {
		if f, ok := t.standard(err, at); ok {
			return f
		}
	}
	if t.isPlain { // a well-known sentinel, by its whole text
		return finding{class: codes.FromText(err.Error()), confidence: low}
	}
	l := t.link(err)
	if l.isNil() {
		return finding{}
	}
	for _, read := range t.readers {
		if found, ok := read(l); ok {
			f = found
			break
		}
	}
	f.retryable, f.permanent = l.declared()
	f.after = max(f.after, l.delay())
	return f
}

func has[T any](t reflect.Type, _ *typeInfo) bool { return t.Implements(reflect.TypeFor[T]()) }

func isForeign(_ reflect.Type, t *typeInfo) bool { return t.isForeign && !t.unwraps }

// found returns a finding, and reports whether its class is known.
func found(c class.Class, how confidence) (finding, bool) {
	return finding{class: c, confidence: how}, c != class.Unknown
}

// ErrGuessed matches, under [errors.Is], an error that this package classified, unless its author
// changed the classification. ErrGuessedEffect matches unless the author changed the effect.
var (
	ErrGuessed       = errors.New("classify: a guessed kind")
	ErrGuessedEffect = errors.New("classify: a guessed effect")
)

// readAlias recognizes errors whose Is method matches an error of the standard library. If this
// package classified the error, its cause counts instead.
func readAlias(l *link) (finding, bool) {
	is := l.err.(interface{ Is(error) bool }).Is //nolint:errcheck // the reader applies to such types only
	if is(ErrGuessed) {
		return finding{}, true
	}
	c := class.Unknown
	for _, row := range aliases {
		if c == class.Unknown && is(row.err) {
			c = row.class
		}
	}
	return found(c, high)
}

// isOneKind reports whether the type's package has only one kind of error.
func isOneKind(_ reflect.Type, t *typeInfo) bool { return codes.FromPackage(t.pkg) != class.Unknown }

func readPackage(l *link) (finding, bool) { return found(codes.FromPackage(l.pkg), low) }

func readTimeout(l *link) (finding, bool) {
	return passing(l.err.(interface{ Timeout() bool }).Timeout(), class.TimedOut) //nolint:errcheck // it applies to such types only
}

func readTemporary(l *link) (finding, bool) {
	return passing(l.err.(interface{ Temporary() bool }).Temporary(), class.ReplyLost) //nolint:errcheck // it applies to such types only
}

// passing returns a finding of class c if a method says so.
func passing(says bool, c class.Class) (finding, bool) {
	return finding{class: c, confidence: low}, says
}

func readMarker(l *link) (finding, bool) { return found(l.marked, low) }

// readTypeName classifies an error by its type's name. A name does not prove the effect, except for
// a rate limit with a delay.
func readTypeName(l *link) (finding, bool) {
	return finding{class: l.named, confidence: low, unproven: l.named != class.Throttled || l.delay() == 0}, true
}

// readTokens classifies an error by words that only codes look like: in a field with any name, or
// the text of an enumeration, or a text that is the line of an HTTP status. They do not prove the effect.
func readTokens(l *link) (finding, bool) {
	var c class.Class
	for f := range l.fields(tokens) {
		token := named(f)
		if word(f) == "" { // an enumeration's name may have spaces
			token = strings.ReplaceAll(token, " ", "_")
		}
		c = cmp.Or(c, codes.FromToken(token))
	}
	if _, isNumber := number(l.value); isNumber && l.codes == nil && !l.unwraps {
		c = codes.FromKnown(l.text())
	} else if c == class.Unknown && !l.unwraps {
		c = codes.FromStatusLine(l.text())
	}
	return finding{class: c, confidence: guess, unproven: true}, c != class.Unknown
}

// readLibraryText recognizes a library's fixed texts.
func readLibraryText(l *link) (finding, bool) {
	return found(codes.FromLibraryText(l.pkg, l.text()), low)
}
