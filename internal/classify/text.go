package classify

import "strings"

// unparsedTexts are beginnings of texts of google/uuid, net/http and time that have no
// library's name before them.
var unparsedTexts = []string{
	"invalid UUID length:", "invalid urn prefix:", "invalid UUID (got ", "unsupported protocol scheme ", "unknown time zone ",
}

// fromText classifies the text of an error that has nothing else: only the texts
// that libraries are known to have as their fixed values, whole or behind the
// library's own name.
func fromText(text string) class {
	if v, ok := texts()[text]; ok {
		return v
	}
	for _, start := range unparsedTexts {
		if strings.HasPrefix(text, start) {
			return unparsed
		}
	}
	library, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return unknown
	}
	if library == "rate" && strings.Contains(rest, "exceeds limiter's burst") {
		return outOfRange // no wait is long enough
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
	return unknown
}

// fromLibraryText classifies the text of a type that is nothing but one.
func fromLibraryText(pkg, text string) class {
	if strings.Contains(pkg, "redis") || strings.Contains(pkg, "valkey") {
		code, _, _ := strings.Cut(text, " ")
		if v, ok := texts()[text]; ok {
			return v
		}
		if v, ok := redisCodes()[code]; ok {
			return v
		}
	}
	return fromText(text)
}

// fromMessage classifies the message that a server has sent with a code that says
// less.
func fromMessage(text string) class {
	if strings.Contains(text, "message larger than max") || strings.Contains(text, "decompression larger than max") {
		return outOfRange // gRPC, under ResourceExhausted
	}
	if strings.HasPrefix(text, "etcdserver: ") {
		return fromText(text)
	}
	return unknown
}
