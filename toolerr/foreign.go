package toolerr

import (
	"reflect"
)

// foreign judges an error of another library by what it shows: methods, fields,
// its type's name, and its text as the last resort.
func foreign(err error, dialing bool) (f finding) {
	t := reflect.TypeOf(err)
	if plain[t] {
		text := err.Error()
		return finding{verdict: fromText(text), weight: weak, final: finalTexts[text]}
	}
	s := shapeOf(t)
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return finding{}
		}
	}
	f.vouched, f.final = flags(err, s)
	look := looking{shape: s, value: v, object: v}
	if v.Kind() == reflect.Pointer {
		look.object = v.Elem()
	}
	if look.object.Kind() != reflect.Struct {
		look.object = reflect.Value{}
	}
	after := look.after(err)
	switch verdict, weight := look.verdict(err); {
	case verdict.known():
		f.verdict, f.weight = verdict, weight
	default:
		f.verdict, f.weight = byMethod(err, dialing), weak
		if v, ok := packages[s.pkg]; ok {
			f.verdict = v
		}
		if named := byName(s); !f.verdict.known() || f.verdict == vBroken && named.known() {
			f.verdict = named
		}
		if !f.verdict.known() && isLeaf(err) {
			f.verdict = fromLibraryText(s, err.Error())
		}
	}
	f.verdict.after = max(f.verdict.after, after)
	return f
}

// plain are the types that hold a text and nothing else.
var plain = map[reflect.Type]bool{
	reflect.TypeOf(errNew):    true,
	reflect.TypeOf(errErrorf): true,
}

func isLeaf(err error) bool {
	switch err.(type) { //nolint:errorlint // one link of the chain
	case interface{ Unwrap() error }, interface{ Unwrap() []error }:
		return false
	}
	return true
}

// flags reads what an error says about retrying as such.
func flags(err error, s *shape) (vouched, final bool) {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ Retryable() bool }:
		vouched = e.Retryable()
		final = !vouched
	case interface{ IsRetryable() bool }:
		vouched = e.IsRetryable()
		final = !vouched
	case interface{ RetryableError() bool }:
		vouched = e.RetryableError()
		final = !vouched
	case interface{ Permanent() bool }:
		final = e.Permanent()
	case interface{ IsPermanent() bool }:
		final = e.IsPermanent()
	case interface{ NonRetryable() bool }:
		final = e.NonRetryable()
	}
	if s.pkg == "github.com/avast/retry-go" && s.name == "Error" {
		final = true // its attempts are used up
	}
	switch fold(s.name) {
	case "permanent", "unrecoverable", "nonretryable", "notretryable", "nonretriable", "terminal", "withassertionfailure":
		final = true
	case "retryable", "retriable":
		vouched = !final
	}
	return vouched, final
}

func byMethod(err error, dialing bool) verdict {
	if e, ok := err.(interface{ Timeout() bool }); ok && e.Timeout() {
		return timeout(dialing)
	}
	if e, ok := err.(interface{ Temporary() bool }); ok && e.Temporary() && !dialing {
		return vBroken // says nothing of what was done
	} else if ok && e.Temporary() {
		return vUnavailable
	}
	return verdict{}
}
