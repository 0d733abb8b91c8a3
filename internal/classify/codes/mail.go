package codes

import (
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// An Enhanced is an enhanced mail system status code (RFC 3463): a class of 4 or 5, a
// subject and a detail. The zero one is none.
type Enhanced [3]int

// enhancedRows are tried in order. A class or a detail of 0 matches any.
var enhancedRows = []struct {
	class, subject, detail int
	means                  class.Class
}{
	// Subject 1, addresses.
	{0, 1, 1, class.NotFound},
	{0, 1, 2, class.NotFound},
	{0, 1, 10, class.NotFound},
	{5, 1, 0, class.Invalid},
	// Subject 2, mailboxes: disabled, full, a message that is too long.
	{5, 2, 1, class.Precondition},
	{5, 2, 2, class.Limit},
	{4, 2, 2, class.Exhausted},
	{5, 2, 3, class.OutOfRange},
	// Subject 3, mail systems: full, a message that is too big.
	{4, 3, 1, class.Exhausted},
	{0, 3, 4, class.OutOfRange},
	{5, 4, 4, class.NotFound}, // unable to route
	{5, 5, 0, class.Invalid},  // subject 5, the protocol
	{5, 6, 0, class.Invalid},  // subject 6, contents
	// Subject 7, policy; its details since RFC 4954.
	{0, 7, 8, class.Unauthenticated},
	{0, 7, 9, class.Unauthenticated},
	{0, 7, 11, class.Unauthenticated},
	{5, 7, 0, class.Denied},
	{4, 0, 0, class.Unavailable},
}

// ParseEnhanced returns the enhanced code at the beginning of a reply's text, or the zero
// one.
func ParseEnhanced(text string) (e Enhanced) {
	text, _, _ = strings.Cut(text, " ")
	parts := strings.Split(text[:min(len(text), len("5.999.999"))], ".")
	if len(parts) != len(e) || parts[0] != "4" && parts[0] != "5" {
		return Enhanced{}
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return Enhanced{}
		}
		e[i] = n
	}
	return e
}

// FromReply classifies an SMTP reply by its enhanced code, unless that belongs to another
// reply, and by its code. A code of 0 is none.
func FromReply(code int64, e Enhanced) class.Class {
	for _, row := range enhancedRows {
		if (code == 0 || int64(e[0]) == code/100) && (row.class == 0 || row.class == e[0]) &&
			(row.subject == 0 || row.subject == e[1]) && (row.detail == 0 || row.detail == e[2]) {
			return row.means
		}
	}
	return TableFor(smtpPackage).Class(code)
}
