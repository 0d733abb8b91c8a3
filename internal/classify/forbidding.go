package classify

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// byText classifies a chain of which its types say nothing by the text of its
// innermost error, then by that of the outermost, which holds all.
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

// pathOfCodes classifies a text that is nothing but codes, from the general to the
// particular: path/not_found/... None allows a retry.
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
