package codes

import (
	"path"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromReply classifies an SMTP reply by the enhanced code at the beginning of text, or else by
// code. An enhanced code whose first digit is not that of code is ignored. A code of 0 means none.
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
