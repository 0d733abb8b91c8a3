package codes

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// unparsedTexts are beginnings of texts of google/uuid, net/http and time that have no
// library's name before them.
var unparsedTexts = []string{
	"invalid UUID length:", "invalid urn prefix:", "invalid UUID (got ", "unsupported protocol scheme ", "unknown time zone ",
}

// FromText classifies the text of an error that has nothing else: only the texts
// that libraries are known to have as their fixed values, whole or behind the
// library's own name.
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

// FromLibraryText classifies the text of a type that is nothing but one.
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

// FromMessage classifies the message that a server has sent with a code that says
// less.
func FromMessage(text string) class.Class {
	if strings.Contains(text, "message larger than max") || strings.Contains(text, "decompression larger than max") {
		return class.OutOfRange // gRPC, under ResourceExhausted
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return FromText(text)
	}
	return class.Unknown
}
