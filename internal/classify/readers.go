package classify

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"reflect"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// readers classify one error of a chain by one kind of evidence each. The first one that does wins.
var readers = []func(*link) finding{
	readAlias, readMail, readNumbers, readAnswer, func(l *link) finding { return found(codes.FromPackage(l.pkg), low) },
	readTimeout, readLibraryText, readTypeName, readTokens, readTemporary,
}

// inspect classifies one error of a chain without what it wraps.
func (t *typeInfo) inspect(err error, at place) (f finding) {
	if t.isWrapper {
		if e, ok := err.(*url.Error); ok && e.Op == "parse" { //nolint:errorlint // one link of the chain
			f = found(class.Unparsed, low)
		}
		return f
	}
	defer func() {
		if at.dialing {
			f.class = cmp.Or(unsent[f.class], f.class)
		}
		if at.program {
			f.class = cmp.Or(programs[f.class], f.class)
		}
	}()
	if !t.isForeign {
		if f := t.standard(err, at); f.class != class.Unknown {
			return f
		}
	}
	if t.isPlain { // a well-known sentinel, by its whole text
		return found(codes.FromText(err.Error()), low)
	}
	l := t.link(err)
	if l.isNil() {
		return finding{}
	}
	e, ok := err.(interface{ Is(error) bool })
	isOurs := ok && e.Is(ErrGuessed) // classified by this package: its cause counts instead
	for i := 0; i < len(readers) && f.class == class.Unknown && !isOurs; i++ {
		f = readers[i](l)
	}
	f.retryable, f.permanent = l.declared()
	f.after = max(f.after, l.delay())
	return f
}

func found(c class.Class, how confidence) finding { return finding{class: c, confidence: how} }

// ErrGuessed matches, under [errors.Is], an error that this package classified, unless its author
// changed the classification. ErrGuessedEffect matches unless the author changed the effect. ErrText matches one
// that was read from prose.
var (
	ErrGuessed       = errors.New("classify: a guessed kind")
	ErrGuessedEffect = errors.New("classify: a guessed effect")
	ErrText          = errors.New("classify: read from prose")
)

// readAlias recognizes errors whose Is method matches an error of the standard library.
func readAlias(l *link) finding {
	e, ok := l.err.(interface{ Is(error) bool })
	for _, row := range aliases {
		if ok && e.Is(row.err) {
			return found(row.class, high)
		}
	}
	return finding{}
}

func readTimeout(l *link) (f finding) {
	e, ok := l.err.(interface{ Timeout() bool })
	if ok && e.Timeout() || firstOf(fieldsAt(l.object, l.paths[spelling.Timeouts]), reflect.Value.Bool) {
		f = found(class.TimedOut, low)
	}
	return f
}

func readTemporary(l *link) (f finding) {
	if e, ok := l.err.(interface{ Temporary() bool }); ok && e.Temporary() {
		f = found(class.ReplyLost, low)
	}
	return f
}

// readTypeName classifies an error by its type's name. A name does not prove the effect, except for
// a rate limit with a delay.
func readTypeName(l *link) finding {
	return finding{class: l.named, confidence: low, unproven: l.named != class.Throttled || l.delay() == 0}
}

// readTokens classifies an error by its text, if that is a code: of a number or a string, or the line of an HTTP
// status. It does not prove the effect.
func readTokens(l *link) finding {
	var c class.Class
	if !l.isForeign {
		return finding{}
	}
	isCode := l.object.CanInt() || l.object.CanUint() || l.value.Kind() == reflect.String
	if isCode && l.codes == nil && !l.unwraps {
		c = codes.FromKnown(l.text())
	}
	if c == class.Unknown && !l.unwraps {
		c = codes.FromStatusLine(l.text())
	}
	return finding{class: c, confidence: guess, unproven: true}
}

func readLibraryText(l *link) finding {
	if !l.isForeign || l.unwraps {
		return finding{}
	}
	return found(codes.FromLibraryText(l.pkg, l.text()), low)
}

// readNumbers classifies an error by its library's numbers, or else by those of JSON-RPC 2.0. Of
// the numbers in the error's lists, the first that forbids a retry takes precedence.
func readNumbers(l *link) finding {
	table := cmp.Or(l.codes, codes.TableFor("jsonrpc"))
	classOf := func(v reflect.Value) class.Class { return table.Class(number(v)) } // 0 has no row
	first := cmp.Or(classOf(l.value), firstOf(l.members(spelling.OwnNumbers), classOf))
	if first != class.Unknown {
		return found(first, definitive)
	}
	for object, paths := range l.listed() {
		for f := range fieldsAt(object, paths[spelling.OwnNumbers]) {
			if c := classOf(f); first == class.Unknown || first.Retryable() && c != class.Unknown && !c.Retryable() {
				first = c
			}
		}
	}
	return found(first, definitive)
}

// readMail classifies a mail error by its enhanced code, which no other errors have, and its reply code.
func readMail(l *link) finding {
	if max(len(l.methods[spelling.MailCodes]), len(l.paths[spelling.MailCodes])) == 0 {
		return finding{}
	}
	detail := ""
	for v := range l.members(spelling.MailCodes) {
		if detail = word(v); v.Kind() == reflect.Array {
			detail = fmt.Sprintf("%d.%d.%d", v.Index(0).Int(), v.Index(1).Int(), v.Index(2).Int())
		}
	}
	reply := cmp.Or(number(l.value), firstOf(l.members(spelling.OwnNumbers), number))
	return found(codes.FromReply(reply, detail), definitive)
}
