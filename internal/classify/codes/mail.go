package codes

import (
	"path"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromReply classifies an SMTP reply by the enhanced code at the beginning of a text, unless
// that belongs to another reply, and by its own code. A code of 0 is none.
func FromReply(code int64, text string) class.Class {
	enhanced, _, _ := strings.Cut(text, " ")
	if code == 0 || strings.HasPrefix(enhanced, strconv.FormatInt(code, 10)[:1]) {
		for _, row := range tables()["mail"] {
			if ok, _ := path.Match(row.codes, enhanced); ok {
				return row.class
			}
		}
	}
	return TableFor("github.com/emersion/go-smtp").Class(code)
}
