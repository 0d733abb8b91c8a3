package codes

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A Reader reads an error's code words until the class is clear. The zero Reader is ready to use.
type Reader struct {
	Class   class.Class
	HasWord bool // the error has a code word
}

// Read adds a code word, and reports whether the class is clear.
func (r *Reader) Read(word string) bool {
	return word != "" && r.ReadClass(FromWord(word))
}

// ReadClass adds the class of a code word, and reports whether the class is clear.
func (r *Reader) ReadClass(c class.Class) bool {
	r.HasWord = true
	if c != class.Unknown && (r.Class == class.Unknown || r.Class.IsVague() && !c.IsVague()) {
		r.Class = c
	}
	return !r.Class.IsVague()
}

// Override sets the class to c, if known, regardless of earlier words, and reports whether it did.
func (r *Reader) Override(c class.Class) bool {
	if c != class.Unknown {
		r.Class = c
	}
	return c != class.Unknown
}
