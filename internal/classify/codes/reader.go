package codes

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Reader takes the words that an error shows in turn, until one is a known
// code that is not vague.
type Reader struct {
	Class   class.Class
	HasWord bool // there is a word
}

// Read reports whether the class is clear.
func (r *Reader) Read(word string) bool {
	return word != "" && r.ReadClass(FromWord(word))
}

// Take is read for a word that is known already.
func (r *Reader) ReadClass(c class.Class) bool {
	r.HasWord = true
	if c != class.Unknown && r.Class.IsVague() {
		r.Class = c
	}
	return !r.Class.IsVague()
}

// Settle takes a class that no word has to confirm.
func (r *Reader) Override(c class.Class) bool {
	if c != class.Unknown {
		r.Class = c
	}
	return c != class.Unknown
}
