package classify

import "reflect"

// A declaration is what an error states about retrying.
type declaration struct{ retryable, permanent bool }

// A declarer calls an interface's method that states whether a retry may help.
type declarer struct {
	of   reflect.Type
	call func(error) declaration
}

func declares[T any](call func(T) declaration) declarer {
	return declarer{reflect.TypeFor[T](), func(err error) declaration {
		e, ok := err.(T)
		if !ok {
			return declaration{}
		}
		return call(e)
	}}
}

// declarers are tried in order.
var declarers = []declarer{
	declares(func(e interface{ Retryable() bool }) declaration { return either(e.Retryable()) }),
	declares(func(e interface{ IsRetryable() bool }) declaration { return either(e.IsRetryable()) }),
	declares(func(e interface{ RetryableError() bool }) declaration { return either(e.RetryableError()) }),
	declares(func(e interface{ ShouldRetry() bool }) declaration { return either(e.ShouldRetry()) }),
	declares(func(e interface{ IsTransient() bool }) declaration { return declaration{retryable: e.IsTransient()} }),
	declares(func(e interface{ Permanent() bool }) declaration { return declaration{permanent: e.Permanent()} }),
	declares(func(e interface{ IsPermanent() bool }) declaration { return declaration{permanent: e.IsPermanent()} }),
	declares(func(e interface{ NonRetryable() bool }) declaration { return declaration{permanent: e.NonRetryable()} }),
}

// either returns the declaration of a method that knows no third state.
func either(retryable bool) declaration { return declaration{retryable, !retryable} }

// readDeclarations sets what the methods and the name of a type declare about retrying.
func (s *typeInfo) readDeclarations(t reflect.Type) {
	for _, d := range declarers {
		if t.Implements(d.of) {
			s.declares = d.call
			break
		}
	}
	switch s.folded {
	case "permanent", "unrecoverable", "nonretryable", "notretryable", "nonretriable", "terminal", "withassertionfailure":
		s.byName.permanent = true
	case "retryable", "retriable":
		s.byName.retryable = true
	}
	if s.pkg == "github.com/avast/retry-go" && s.name == "Error" {
		s.byName.permanent = true // its attempts are used up
	}
}

// declared returns what an error's methods and name declare about retrying.
func (s *typeInfo) declared(err error) (retryable, permanent bool) {
	d := s.byName
	if s.declares != nil {
		stated := s.declares(err)
		d.permanent = d.permanent || stated.permanent
		d.retryable = stated.retryable || d.retryable && !d.permanent
	}
	return d.retryable, d.permanent
}
