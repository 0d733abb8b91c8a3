package classify

import (
	"cmp"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

func readAnswer(l *link) finding {
	var reply answers.Claims
	l.readReply(&reply)
	status, header, method := l.httpStatus()
	word, shown := l.byCode(&reply)
	c, byStatus, after := answers.Weigh(word, shown, status, header, method)
	f := finding{class: c, confidence: definitive, after: after}
	if c == byStatus && c != word {
		f.confidence = httpStatus
	}
	switch isVague := f.class == class.Denied || f.class == class.Invalid; {
	case f.class.IsThrottle():
		if f.after = cmp.Or(f.after, reply.After, l.until(spelling.Resets)); reply.HasPlanLimit(f.after) {
			f = found(class.Limit, f.confidence)
		}
	case l.named == class.Throttled && isVague && f.confidence == httpStatus:
		// The type's name hints at a rate limit; a delay proves it.
		f.class, f.after = class.Throttled, cmp.Or(l.delay(), l.until(spelling.Resets))
		f.unproven = f.after == 0
	}
	if answers.IsDoubtful(f.class, byStatus) {
		f.effect = class.EffectUnknown
	}
	return f
}

func (l *link) httpStatus() (status int, header http.Header, method string) {
	for f := range l.members(spelling.Responses) {
		if resp, ok := reflect.TypeAssert[*http.Response](f); ok && resp != nil {
			status, header, method = resp.StatusCode, resp.Header, answers.RequestMethod(resp)
		}
	}
	for f := range l.members(spelling.Headers) {
		if header == nil {
			header, _ = reflect.TypeAssert[http.Header](f)
		}
	}
	return cmp.Or(status, firstOf(l.members(spelling.FieldStatus), asStatus)), header, method
}

// asStatus returns the status of a failure: v itself, or the three digits that begin a text such as
// "404 Not Found". It returns 0 if there is none.
func asStatus(v reflect.Value) int {
	n := number(v)
	if text := word(v); len(text) > 3 && text[3] == ' ' {
		n, _ = strconv.ParseInt(text[:3], 10, 64)
	}
	if n < 400 || n >= 600 {
		return 0
	}
	return int(n)
}

// maxReply limits the length, in bytes, of the replies read from errors. Longer ones are skipped,
// because a part is not valid JSON. Error objects have a few hundred bytes.
const maxReply = 4 << 10

// maxMembers limits the number of members of an object in a field, not of those in it. Error
// objects have about a dozen.
const maxMembers = 100

// readReply adds the codes and the delay in a service's reply that an error keeps.
func (l *link) readReply(b *answers.Claims) {
	for v := range l.members(spelling.Objects) {
		readObject(b, v)
	}
	for object, paths := range l.listed() {
		for f := range fieldsAt(object, paths[spelling.Objects]) {
			readObject(b, f)
		}
	}
	if e, ok := l.err.(interface{ RawJSON() string }); ok {
		if text := e.RawJSON(); len(text) <= maxReply {
			b.ReadJSON([]byte(text))
		}
	}
	for v := range l.members(spelling.Bodies) {
		if l.isAnswer && v.Len() <= maxReply { // otherwise it may be something else
			b.ReadJSON([]byte(word(v)))
		}
	}
}

// readObject adds a map with string keys, or a list of such maps.
func readObject(b *answers.Claims, v reflect.Value) {
	if v.Kind() == reflect.Slice {
		for i := range min(v.Len(), answers.MaxItems) {
			readObject(b, v.Index(i))
		}
		return
	}
	if object := v.Convert(reflect.TypeFor[map[string]any]()); object.Len() <= maxMembers {
		members, _ := reflect.TypeAssert[map[string]any](object)
		b.ReadObject(members, answers.MaxDepth)
	}
}

// delay returns the delay that an error requires, or 0.
func (l *link) delay() time.Duration { return cmp.Or(l.until(spelling.Delays), l.remote.after) }

func (l *link) until(m spelling.Meaning) time.Duration { return firstOf(l.members(m), delayIn) }

// delayIn converts a delay, or the time at which it ends. A bare number is in seconds, as in all known APIs.
func delayIn(v reflect.Value) time.Duration {
	if v = reflect.Indirect(v); !v.IsValid() { // a nil pointer
		return 0
	}
	if at, ok := reflect.TypeAssert[interface{ Unix() int64 }](v); ok {
		return class.ClampDelay(time.Until(time.Unix(at.Unix(), 0)))
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return class.ClampDelay(time.Duration(number(v)))
	case v.CanFloat():
		return class.Seconds(v.Float())
	}
	return class.Seconds(float64(number(v)))
}
