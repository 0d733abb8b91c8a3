package codes

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// unparsedTexts are prefixes of error texts of google/uuid, net/http and time that do not
// name their library.
var unparsedTexts = []string{
	"invalid UUID length:", "invalid urn prefix:", "invalid UUID (got ", "unsupported protocol scheme ", "unknown time zone ",
}

// FromText classifies an error by its text alone. It recognizes only the fixed texts of
// known libraries, either whole or after the library's name.
func FromText(text string) class.Class {
	if v, ok := texts()[text]; ok {
		return v
	}
	for _, start := range unparsedTexts {
		if strings.HasPrefix(text, start) {
			return class.Unparsed
		}
	}
	library, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return class.Unknown
	}
	if library == "rate" && strings.Contains(rest, "exceeds limiter's burst") {
		return class.OutOfRange // no wait is long enough
	}
	for _, row := range prefixes {
		if row.library != library {
			continue
		}
		for start := range strings.SplitSeq(row.texts, "|") {
			if strings.HasPrefix(rest, start) {
				return row.class
			}
		}
	}
	return class.Unknown
}

// FromLibraryText classifies an error whose type has nothing but a text.
func FromLibraryText(pkg, text string) class.Class {
	if strings.Contains(pkg, "redis") || strings.Contains(pkg, "valkey") {
		code, _, _ := strings.Cut(text, " ")
		if v, ok := texts()[text]; ok {
			return v
		}
		if v, ok := redisCodes()[code]; ok {
			return v
		}
	}
	return FromText(text)
}

// FromMessage classifies the message that a server sends with a less specific code.
func FromMessage(text string) class.Class {
	if strings.Contains(text, "message larger than max") || strings.Contains(text, "decompression larger than max") {
		return class.OutOfRange // gRPC, under ResourceExhausted
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return FromText(text)
	}
	return class.Unknown
}
