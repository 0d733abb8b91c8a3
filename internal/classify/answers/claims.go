package answers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// Claims is what a sender says about a failure, in a tool's result, in the body of an HTTP response
// or in the objects that a Go error holds. Nothing in it is verified, cleaned or shortened.
type Claims struct {
	Category, Message, Hint, CustomerMessage     string
	Effect, Field, CorrelationID, IdempotencyKey string

	Codes       []string // the code of the failure as a whole, then those of its parts
	Status      int      // an HTTP status from 400 to 599, or 0
	Flag        Flag
	Own         bool          // the flag is the envelope's isRetryable, beside one of its categories
	After       time.Duration // the longest delay, if HasAfter is set
	HasAfter    bool
	Suggestions []any
	Options     []any
	IsPlan      bool // the limit is one for a day or more

	namesPeriod bool // a message names a period of a day or more
	words       [codeRanks][]word
	parts       [levels][]object
}

// A Flag is what a sender says about a repeat.
type Flag int

const (
	// Unstated means that nothing is said about a repeat.
	Unstated Flag = iota
	// Allows means that a repeat may succeed.
	Allows
	// Forbids means that a repeat does not help.
	Forbids
)

// A level says whether an object is about the failure as a whole, about a part of it, or may repeat
// the request. An echo may forbid a retry, but never allow one.
type level int

const (
	whole level = iota
	part
	echo
	levels
)

const (
	// MaxDepth is the maximum depth to which an error object is read. Google's error objects have
	// reasons at depth 4 and exhausted quotas at depth 6.
	MaxDepth = 7
	// MaxItems is the maximum number of items read from a list in an error. Most lists have a few.
	MaxItems = 20
)

// Read returns the claims in an object.
func Read(members map[string]any) *Claims {
	c := new(Claims)
	c.object(members, MaxDepth, whole)
	c.fill()
	return c
}

// ReadJSON adds the codes and the delay in a JSON text. Text that is no JSON object or list is
// ignored.
func (c *Claims) ReadJSON(text []byte) {
	var value any
	if json.Unmarshal(text, &value) == nil {
		c.value(value, MaxDepth, whole)
	}
}

// ReadObject adds the codes and the delay in an object, and in its parts to the given depth.
func (c *Claims) ReadObject(members map[string]any, depth int) { c.object(members, depth, whole) }

// value adds an object, or the objects of a list. Of a list, the first is about the whole failure.
func (c *Claims) value(value any, depth int, l level) {
	if depth <= 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		c.object(value, depth, l)
	case []map[string]any:
		for i, item := range value[:min(len(value), MaxItems)] {
			c.value(item, depth-1, max(l, level(min(i, 1))))
		}
	case []any:
		for i, item := range value[:min(len(value), MaxItems)] {
			c.value(item, depth-1, max(l, level(min(i, 1))))
		}
	}
}

// object adds the objects in an object, and then the object.
func (c *Claims) object(members map[string]any, depth int, l level) {
	o := fold(members)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		text, isText := o[name].(string)
		if _, isCode := codeMembers[name]; isCode && isText {
			c.add(name, text, l)
			c.value(o[spelling.Fold(text)], depth-1, max(l, part)) // a tagged union: the tag names the member that is set
		}
		switch {
		case isText && codes.IsPeriodMember(name):
			c.IsPlan = c.IsPlan || codes.IsPlanPeriod(text)
		case isText && name == "message":
			c.namesPeriod = c.namesPeriod || codes.IsPlanPeriod(text)
		}
	}
	for i, name := range spelling.Names(spelling.Inside) {
		const wholes = 4 // the first names: error, err, detail, errors
		in := max(l, part)
		if i < wholes {
			in = l
		}
		c.value(o[name], depth-1, in)
	}
	for _, name := range spelling.Names(spelling.Echo) {
		c.value(o[name], depth-1, echo)
	}
	if _, has := members["isRetryable"].(bool); has && l == whole {
		category, _ := members["errorCategory"].(string)
		c.Own = category == class.Transient || category == class.Validation || category == class.Business || category == class.Permission
	}
	c.delay(o)
	c.parts[l] = append(c.parts[l], o)
}

// An object has folded names.
type object map[string]any

// fold returns an object with folded names. If several names are folded to one, the one that is the
// folded name counts, or else the first in alphabetical order whose value is not null.
func fold(members map[string]any) object {
	o := make(object, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if key := spelling.Fold(name); key == name || o[key] == nil {
			o[key] = members[name]
		}
	}
	return o
}

// first returns the first member with a meaning that accept accepts: level by level, object by
// object, in the order of the names.
func first[T any](c *Claims, m spelling.Meaning, last level, accept func(name string, v any) (T, bool)) (v T, ok bool) {
	for _, objects := range c.parts[:last+1] {
		for _, o := range objects {
			for _, name := range spelling.Names(m) {
				if v, ok := accept(name, o[name]); ok {
					return v, true
				}
			}
		}
	}
	return v, false
}

// fill sets the fields from the objects.
func (c *Claims) fill() {
	text := func(m spelling.Meaning, last level) string {
		s, _ := first(c, m, last, texts)
		return s
	}
	list := func(m spelling.Meaning) []any {
		l, _ := first(c, m, echo, func(_ string, v any) ([]any, bool) { l, ok := v.([]any); return l, ok })
		return l
	}
	c.Category, c.Effect, c.Field = text(spelling.Category, whole), text(spelling.Effect, echo), text(spelling.Field, echo)
	c.Hint, c.CustomerMessage = text(spelling.Hint, echo), text(spelling.CustomerMessage, echo)
	c.CorrelationID, c.IdempotencyKey = text(spelling.CorrelationID, echo), text(spelling.IdempotencyKey, echo)
	c.Suggestions, c.Options = list(spelling.Suggestions), list(spelling.Options)
	c.Message = cmp.Or(c.sentence(spelling.Message, whole), c.sentence(spelling.InnerMessage, echo), c.sentence(spelling.ErrorText, whole), c.sentences())
	c.Status, _ = first(c, spelling.Status, whole, func(_ string, v any) (int, bool) {
		n, ok := Number(v)
		return int(n), ok && n >= 400 && n < 600
	})
	for _, objects := range c.parts[:echo] {
		for _, o := range objects {
			for _, name := range spelling.Names(spelling.Code) {
				if s, _ := o[name].(string); IsCode(s) && (strings.HasSuffix(name, "code") || name == "error" || mayBeCode(s)) {
					c.Codes = append(c.Codes, s)
				}
			}
		}
	}
	switch may, states := first(c, spelling.Retryable, whole, func(_ string, v any) (bool, bool) { return Bool(v) }); {
	case states && may:
		c.Flag = Allows
	case states:
		c.Flag = Forbids
	default:
		if _, never := first(c, spelling.Retryable, echo, func(_ string, v any) (bool, bool) { b, ok := Bool(v); return b, ok && !b }); never {
			c.Flag = Forbids
		}
	}
}
