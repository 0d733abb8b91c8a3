package classify

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// IsText reports whether only the text of err can classify it, because its types, values and
// methods do not. It does not read the text, and does not look for an author's
// classification. If the methods of err panic, it returns false.
func IsText(err error) (is bool) {
	defer func() {
		if recover() != nil {
			is = false
		}
	}()
	unknown := func(error) (class.Classification, error) { return class.Classification{}, nil }
	w := walker{left: maxErrors, known: unknown, textless: true}
	f := w.chain(err, place{})
	return f.isUnknown() && w.left >= 0
}

// byText classifies a chain of errors with uninformative types by text: by that of the
// innermost error, then by that of the outermost, which contains all others.
func byText(top, leaf error) (c class.Class) {
	defer func() {
		if recover() != nil {
			c = class.Unknown
		}
	}()
	for _, err := range []error{leaf, top} {
		text := err.Error()
		if c = sqlStateIn(text); c == class.Unknown {
			c = pathOfCodes(text)
		}
		if c == class.Unknown {
			c = texts.ReadPermanent(text)
		}
		if c != class.Unknown || top == leaf { //nolint:errorlint // the same link
			return c
		}
	}
	return class.Unknown
}

// pathOfCodes classifies a text that consists of codes from the general to the specific,
// such as path/not_found/... The result is never retryable.
func pathOfCodes(text string) class.Class {
	if len(text) > codes.MaxCode || strings.ContainsAny(text, " \t\n") {
		return class.Unknown
	}
	var r codes.Reader
	for word := range strings.SplitSeq(text, "/") {
		if r.Read(word) && r.Class.Classification().Category != class.Transient {
			return r.Class
		}
	}
	return class.Unknown
}
