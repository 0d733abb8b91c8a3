package resulttest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isOpen reports whether a text stands in what a server tells openly; of a path, it is
// enough that a folder of it does, other than one that every machine has.
func isOpen(match, open string) bool {
	for {
		if standsIn(open, match) {
			return true
		}
		end := strings.LastIndexByte(match, '/')
		if !strings.HasPrefix(match, "/") || strings.Count(match[:max(end, 0)], "/") < 2 {
			return false
		}
		match = match[:end]
	}
}

// sentPath finds the paths among the arguments of a call, in JSON.
var sentPath = lazy(`(?i)"[^"]*(?:paths?|files?|filename|filepath|dir|directory|folder|uri)":\s*\[?"([^"]{3,})"`)

// isSent reports whether a path is one that the call named, as the server has resolved
// it: with the folder before it that it was started in, or as a URI.
func isSent(match, arguments string) bool {
	for _, sent := range sentPath().FindAllStringSubmatch(arguments, 10) {
		if strings.HasSuffix(match, "/"+strings.TrimLeft(sent[1], "./")) {
			return true
		}
	}
	return false
}

// standsIn reports whether a name stands in a text, and not as the beginning of a longer
// one.
func standsIn(text, name string) bool {
	for rest := text; name != ""; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		rest = rest[i+len(name):]
		if r, _ := utf8.DecodeRuneInString(rest); rest == "" || r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// maxOpen is how much of what a server tells openly is kept. Chosen: lists of folders and
// hosts are short.
const maxOpen = 1 << 20

// openly is what the server tells everybody: in its successes, and in what it says of its
// tools and of itself.
func (c *checker) openly() string {
	var b strings.Builder
	if c.session != nil && c.session.InitializeResult() != nil {
		b.WriteString(c.session.InitializeResult().Instructions)
	}
	for _, tool := range c.tools {
		b.WriteString("\n" + tool.Description)
	}
	for _, a := range c.answers {
		if a.failed || a.result == nil || a.result.IsError {
			continue
		}
		for _, text := range texts(a.result) {
			text = text[:min(len(text), maxSearched)]
			if b.Len()+len(text) < maxOpen {
				b.WriteString("\n" + text)
			}
		}
	}
	return b.String()
}
