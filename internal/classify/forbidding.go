package classify

import (
	"strconv"
	"strings"
)

// Of a long text this many bytes are looked at on each side: errors name themselves
// at the end of their text, behind what those around them have added, or at its
// beginning, before what they quote. Chosen.
const textHead, textTail = 256, 256

// byText classifies a chain of which its types say nothing by the text of its
// innermost error, then by that of the outermost, which holds all.
func byText(top, leaf error) (c class) {
	defer func() {
		if recover() != nil {
			c = unknown
		}
	}()
	for _, err := range []error{leaf, top} {
		text := err.Error()
		if c = sqlStateIn(text); c == unknown {
			c = forbiddingText(text)
		}
		if c != unknown || top == leaf { //nolint:errorlint // the same link
			return c
		}
	}
	return unknown
}

// Forbidding classifies a text by words that forbid a retry, as [Error] does the text of an
// error that nothing else is known of.
func Forbidding(text string) Classification {
	f := finding{class: sqlStateIn(text), unproven: true, words: true}
	if f.class == unknown {
		f.class = forbiddingText(text)
	}
	return f.classification()
}

// forbiddingText classifies a text by words that forbid a retry; the last clause that
// has any counts. None allows one: a text says nothing of what was done.
func forbiddingText(text string) class {
	if len(text) <= textHead+textTail {
		return byClauses(text)
	}
	if c := byClauses(text[len(text)-textTail:]); c != unknown {
		return c
	}
	return byClauses(text[:textHead])
}

func byClauses(text string) (found class) {
	var words stems
	status := false // the clause or the one before says that a number is a status
	end := func() {
		c := words.forbidden(status)
		if c != unknown && (c != precondition || found != denied) { // "forbidden: you are not allowed to"
			found = c
		}
		status = words.has(" status http code response unauthorized forbidden client server ")
		words.n = 0
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isAlnum(c):
			from := i
			for i < len(text) && (isAlnum(text[i]) || text[i] == '\'' && i+1 < len(text) && text[i+1] == 't') {
				i++
			}
			if word, ok := strings.CutSuffix(text[from:i], "n't"); ok {
				words.add(word)
				words.add("not")
			} else {
				words.add(word)
			}
			continue
		case c == '"' || c == '`' || c == '\'': // what it quotes is somebody else's
			if length := strings.IndexByte(text[i+1:], c); length >= 0 {
				i += length + 1
			}
		case strings.IndexByte(":;.()[]\n", c) >= 0:
			end()
		}
		i++
	}
	end()
	return found
}

// notOurs are words of what is the tool's own trouble, as long as nothing shows that
// the caller sent it.
const notOurs = " config configuration env environment certificate x509 host dns executable binary parse parsing unmarshal decode syntax yaml json toml xml "

// forbidden classifies a clause, if it forbids a retry.
func (s *stems) forbidden(isStatus bool) class {
	if s.n == 0 || s.has(notOurs) {
		return unknown
	}
	c := unknown
	if s.n < 3 {
		if whole := string(s.run(0, s.n)); !strings.Contains(vagueNames, " "+whole+" ") {
			c = stemWords()[whole]
		}
	}
	if c == unknown {
		c = s.class()
	}
	if c == unknown && (isStatus || s.has(" status http code response ")) {
		n, _ := strconv.Atoi(string(s.run(s.n-1, s.n)))
		c = ofStatus(failed(n))
	}
	if c == unknown && string(s.run(0, 1)) == "invalid" {
		c = invalid
	}
	if c.retryable() || classes[c].Category == transient {
		return unknown
	}
	return c
}
