package toolerr

import (
	"errors"
	"fmt"
	"strings"
)

// What [errors.New] and [fmt.Errorf] return: a text and nothing else.
var (
	errNew    = errors.New("")
	errErrorf = fmt.Errorf("%d", 0) //nolint:err113,forbidigo,perfsprint // for its type
)

// fromText judges the text of an error that has nothing else: only the texts
// that libraries are known to have as their fixed values, whole or behind the
// library's own name.
func fromText(text string) verdict {
	if v, ok := texts[text]; ok {
		return v
	}
	for _, start := range []string{"invalid UUID length:", "invalid urn prefix:", "invalid UUID (got "} { // google/uuid
		if strings.HasPrefix(text, start) {
			return vUnparsed
		}
	}
	library, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return verdict{}
	}
	if library == "rate" && strings.Contains(rest, "exceeds limiter's burst") {
		return vOutOfRange // no wait is long enough
	}
	for _, t := range prefixed[library] {
		if strings.HasPrefix(rest, t.text) {
			return t.verdict
		}
	}
	return verdict{}
}

// fromLibraryText judges the text of a type that is nothing but one.
func fromLibraryText(s *shape, text string) verdict {
	if strings.Contains(s.pkg, "redis") || strings.Contains(s.pkg, "valkey") {
		code, _, _ := strings.Cut(text, " ")
		if v, ok := texts[text]; ok {
			return v
		}
		if v, ok := redisCodes[code]; ok {
			return v
		}
	}
	return fromText(text)
}

// fromMessage judges the message that a server has sent with a code that says
// less.
func fromMessage(text string) verdict {
	if strings.Contains(text, "message larger than max") || strings.Contains(text, "decompression larger than max") {
		return vOutOfRange // gRPC, under ResourceExhausted
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return fromText(text)
	}
	return verdict{}
}
