// Package classify takes any Go error, HTTP response, status, code word or number,
// and returns what is known of the failure: a [Classification]. It knows the
// standard library by value and type, other libraries by the shape of their errors,
// and imports the standard library alone.
package classify

import (
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// A Classification says what kind of failure something is. See [class.Classification].
type Classification = class.Classification

// A Reading is what the words of a text say. See [texts.Reading].
type Reading = texts.Reading

// MaxDelay bounds delays: see [class.MaxDelay].
const MaxDelay = class.MaxDelay

// ClampDelay returns d within [0, MaxDelay].
func ClampDelay(d time.Duration) time.Duration { return class.ClampDelay(d) }

// Seconds returns n seconds as a delay within [0, MaxDelay]. It is 0 if n is negative or
// not a number.
func Seconds(n float64) time.Duration { return class.Seconds(n) }

// Internal is the classification of an unexpected error.
func Internal() class.Classification { return class.Internal.Classification() }

// Word classifies a code in words.
func Word(code string) class.Classification { return codes.FromWord(code).Classification() }

// Code classifies a code in words that came with an HTTP status; each may be absent,
// as "" or 0.
func Code(code string, status int) class.Classification {
	c, _, _ := weigh(codes.FromWord(code), code != "", status, nil, "", time.Time{})
	return c.Classification()
}

// SQLState classifies a SQLSTATE, with the text that came with it.
func SQLState(state, text string) class.Classification {
	return codes.FromSQLState(state, text).Classification()
}

// HTTPStatus classifies an HTTP status (RFC 9110 and the usual extras) that a request
// with this method was answered with, with the delay that the headers ask for. An
// empty method is any. Of a status that is no failure nothing is known.
//
// Proxies make up 502, 503 and 504 for requests that they have passed on, so that
// these prove nothing, unless 503 comes with a Retry-After, which RFC 9110 gives it
// for a service that takes no requests now, or to a method that changes nothing.
func HTTPStatus(status int, header http.Header, method string, now time.Time) class.Classification {
	c, after := codes.FromHTTP(status, header, method, now)
	return c.After(after)
}

// Text reads the text of a failure, in the languages that phrases are known in: see [texts.Read].
func Text(text string) texts.Reading { return texts.Read(text) }

// Response classifies an HTTP response that is not a success, and closes its body. See
// [answers.FromResponse].
func Response(resp *http.Response) (c Classification, scopes string) {
	return answers.FromResponse(resp)
}
