package resulttest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isPublic reports whether a text is in what a server publishes. For a path, one of its
// parent folders is enough, except a top-level one.
func isPublic(match, public string) bool {
	for {
		if containsName(public, match) {
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

// isSent reports whether a path is from the call's arguments, as the server resolves it:
// relative to its working directory, or as a URI.
func isSent(match, arguments string) bool {
	for _, sent := range sentPath().FindAllStringSubmatch(arguments, 10) {
		if strings.HasSuffix(match, "/"+strings.TrimLeft(sent[1], "./")) {
			return true
		}
	}
	return false
}

// containsName reports whether a text contains a name that is not the beginning of a longer
// one.
func containsName(text, name string) bool {
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

// maxPublic is the maximum size of a server's public text in bytes. Chosen: lists of folders
// and hosts are short.
const maxPublic = 1 << 20

// publicText returns what the server publishes anyway: its instructions, the descriptions of
// its tools, and its successes.
func (c *checker) publicText() string {
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
			if b.Len()+len(text) < maxPublic {
				b.WriteString("\n" + text)
			}
		}
	}
	return b.String()
}
