package classify

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// An enhancedCode is an enhanced mail system status code (RFC 3463): a class of 2, 4 or 5,
// a subject and a detail.
type enhancedCode [3]int

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

func (e enhancedCode) mean() class.Class {
	for _, row := range enhancedRows {
		if (row.class == 0 || row.class == e[0]) && (row.subject == 0 || row.subject == e[1]) && (row.detail == 0 || row.detail == e[2]) {
			return row.means
		}
	}
	return class.Unknown
}

// parseEnhanced returns the enhanced code at the beginning of a text, or the zero one.
func parseEnhanced(text string) (e enhancedCode) {
	text, _, _ = strings.Cut(text, " ")
	parts := strings.Split(text[:min(len(text), len("5.999.999"))], ".")
	if len(parts) != len(e) || parts[0] != "4" && parts[0] != "5" {
		return enhancedCode{}
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return enhancedCode{}
		}
		e[i] = n
	}
	return e
}

// fromReply classifies an SMTP reply.
func fromReply(code int64, enhanced enhancedCode) class.Class {
	if int64(enhanced[0]) == code/100 { // otherwise the code belongs to another reply
		if c := enhanced.mean(); c != class.Unknown {
			return c
		}
	}
	return codes.TableFor(codes.SMTPPackage).Class(code)
}

// enhancedNames are the methods and fields that hold an enhanced code. Only mail errors
// have one, so that it identifies them in any library.
var enhancedNames = []string{"EnhancedStatusCode", "EnhancedCode", "EnhancedMailSystemStatusCode"}

// isEnhanced reports whether a type can hold an enhanced code.
func isEnhanced(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Array && t.Len() == len(enhancedCode{}) && t.Elem().Kind() == reflect.Int
}

// byReply classifies a mail error by its enhanced code and its reply code.
func (in *inspector) byReply() class.Class {
	var enhanced enhancedCode
	for _, name := range enhancedNames {
		if v, ok := in.call(name); ok {
			enhanced = parseEnhanced(word(v))
		}
	}
	for f := range in.fields(in.enhanced) {
		if f.Kind() == reflect.String {
			enhanced = parseEnhanced(f.String())
			continue
		}
		for i := range enhanced {
			enhanced[i] = int(f.Index(i).Int())
		}
	}
	for _, name := range []string{"ErrorCode", "Code"} {
		if v, ok := in.call(name); ok {
			if n, ok := number(v); ok {
				return fromReply(n, enhanced)
			}
		}
	}
	for f := range in.fields(in.number) {
		if n, ok := number(f); ok {
			return fromReply(n, enhanced)
		}
	}
	return enhanced.mean()
}
