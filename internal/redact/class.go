package redact

// A class is a set of bytes.
type class [256]bool

var (
	alnum       = *classOf("0-9A-Z_a-z")
	digit       = *classOf("0-9")
	capital     = *classOf("A-Z")
	small       = *classOf("a-z-") // also in words with hyphens
	address     = *classOf("0-9.")
	sign        = *classOf("+./") // before a number that is no card's
	inName      = *classOf("0-9A-Z_a-z.\x80-\xff-")
	behind      = *classOf("0-9A-Z_a-z-")             // behind the characters of a form
	token68     = *classOf("0-9A-Z_a-z.~+/-")         // RFC 9110, without the end
	blank       = *classOf(" \t")                     // between an operator and a value
	space       = *classOf(" \t?")                    // between a name and an operator
	closing     = *classOf("\"'`]\\")                 // behind a name
	escape      = *classOf("\\")                      // before a quote
	quote       = *classOf("\"'`")                    // around a value
	operator    = *classOf("=:>")                     // between a name and a value
	valueEnd    = *classOf(" \t\r\n\"'`,;<>(){}[]\\") // behind a value without quotes
	punctuation = *classOf(".,;:!?")                  // of a sentence, behind a value
	indent      = *classOf(" \t-")                    // before a name on a line of its own
	lineEnd     = *classOf(" \r")                     // behind a value on a line of its own
)

// classOf returns the class of these bytes and ranges, such as a-z. It reads no escapes.
func classOf(bytes string) *class {
	is := new(class)
	for ; bytes != ""; bytes = bytes[1:] {
		c := int(bytes[0])
		if len(bytes) > 2 && bytes[1] == '-' {
			bytes = bytes[2:]
		}
		for ; c <= int(bytes[0]); c++ {
			is[c] = true
		}
	}
	return is
}

// end returns where the run of class bytes that begins at i ends.
func (is *class) end(s string, i int) int {
	for i < len(s) && is[s[i]] {
		i++
	}
	return i
}

// start returns where the run of class bytes that ends at i begins, not before from.
func (is *class) start(s string, from, i int) int {
	for i > from && is[s[i-1]] {
		i--
	}
	return i
}
