package codes

import (
	"path"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// enhancedRows classify enhanced mail system status codes (RFC 3463) by a pattern of
// [path.Match]. They are tried in order.
var enhancedRows = []struct {
	pattern string
	class   class.Class
}{
	// Subject 1, addresses.
	{"[45].1.1", class.NotFound},
	{"[45].1.2", class.NotFound},
	{"[45].1.10", class.NotFound},
	{"5.1.*", class.Invalid},
	// Subject 2, mailboxes: disabled, full, a message that is too long.
	{"5.2.1", class.Precondition},
	{"5.2.2", class.Limit},
	{"4.2.2", class.Exhausted},
	{"5.2.3", class.OutOfRange},
	// Subject 3, mail systems: full, a message that is too big.
	{"4.3.1", class.Exhausted},
	{"[45].3.4", class.OutOfRange},
	{"5.4.4", class.NotFound},   // unable to route
	{"5.[56].*", class.Invalid}, // the protocol, contents
	// Subject 7, policy; its details since RFC 4954.
	{"[45].7.[89]", class.Unauthenticated},
	{"[45].7.11", class.Unauthenticated},
	{"5.7.*", class.Denied},
	{"4.*.*", class.Unavailable},
}

// FromReply classifies an SMTP reply by the enhanced code at the beginning of a text, unless
// that belongs to another reply, and by its own code. A code of 0 is none.
func FromReply(code int64, text string) class.Class {
	enhanced, _, _ := strings.Cut(text, " ")
	if code == 0 || strings.HasPrefix(enhanced, strconv.FormatInt(code/100, 10)+".") {
		for _, row := range enhancedRows {
			if ok, _ := path.Match(row.pattern, enhanced); ok {
				return row.class
			}
		}
	}
	return TableFor("github.com/emersion/go-smtp").Class(code)
}
