package classify

import (
	"cmp"
	"reflect"
	"slices"
)

// maxErrors is the maximum number of errors read in a tree. A tree of ten is large, but one that
// unwraps to itself never ends.
const maxErrors = 10_000

// unwrap returns what err wraps: the branches of a join, or one error.
func unwrap(err error) (branches []error, inner error) {
	switch x := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ WrappedErrors() []error }: // go-multierror chains them
		return x.WrappedErrors(), nil
	case interface{ Unwrap() error }:
		return nil, x.Unwrap()
	case interface{ OrigErr() error }: // the AWS SDK's first version
		return nil, x.OrigErr()
	case interface{ Unwrap() []error }:
		return x.Unwrap(), nil
	}
	return nil, nil
}

// Find returns the result of match for the first error in err's tree that match accepts, depth
// first. It reads at most 10,000 errors, and returns false if a method of one of them panics.
func Find[T any](err error, match func(error) (T, bool)) (found T, ok bool) {
	defer func() { _ = recover() }()
	rest := append(make([]error, 0, 8), err) // the last one is next; eight stay on the stack
	for left := maxErrors; len(rest) > 0 && left > 0; {
		err, rest = rest[len(rest)-1], rest[:len(rest)-1]
		if err == nil {
			continue
		}
		if m, ok := match(err); ok {
			return m, true
		}
		branches, inner := unwrap(err)
		rest = append(rest, inner)
		for _, branch := range slices.Backward(branches) {
			rest = append(rest, branch)
		}
		left--
	}
	return found, false
}

// As returns one error as a *T that is not nil, directly or by the error's As method.
func As[T any](err error) (*T, bool) {
	e, ok := any(err).(*T)
	if as, is := err.(interface{ As(target any) bool }); is {
		var found *T
		ok = as.As(&found)
		e = found
	}
	return e, ok && e != nil
}

func has[T any](t reflect.Type) bool { return t.Implements(reflect.TypeFor[T]()) }

// wraps reports whether errors of a type have a method that returns their wrapped errors.
func wraps(t reflect.Type) bool {
	return has[interface{ Unwrap() error }](t) || has[interface{ Unwrap() []error }](t) ||
		has[interface{ WrappedErrors() []error }](t) || has[interface{ OrigErr() error }](t)
}

// causePaths returns the paths to a struct's fields that hold errors, or lists or maps of errors, or the
// empty path of a list or a map, which is the type itself.
func causePaths(t reflect.Type) (paths [][]int) {
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		return [][]int{nil}
	} else if t = pointedTo(t); t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		inner := f.Type
		if (inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map) && !has[error](inner) {
			inner = inner.Elem()
		}
		if f.IsExported() && !f.Anonymous && len(f.Index) == 1 && has[error](inner) {
			paths = append(paths, f.Index)
		}
	}
	return paths
}

// hidden returns the errors that an error holds in exported fields, or as a list or map.
func (t *typeInfo) hidden(err error) (list []error) {
	for f := range fieldsAt(reflect.Indirect(reflect.ValueOf(err)), t.causes) {
		list = append(list, errorsIn(f)...)
	}
	return list
}

// errorsIn returns the non-nil errors in v: an error, a list, or a map in the order of its keys.
func errorsIn(v reflect.Value) (list []error) {
	type entry struct{ key, item reflect.Value }
	entries := []entry{{item: v}}
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		entries = entries[:0]
		for key, item := range v.Seq2() {
			entries = append(entries, entry{key, item})
		}
		slices.SortStableFunc(entries, func(a, b entry) int {
			if a.key.CanInt() {
				return cmp.Compare(a.key.Int(), b.key.Int())
			}
			return cmp.Compare(a.key.String(), b.key.String()) // keys of other kinds are equal
		})
	}
	for _, e := range entries[:min(len(entries), maxErrors)] {
		isNil := e.item.Kind() == reflect.Pointer && e.item.IsNil()
		if err, ok := reflect.TypeAssert[error](e.item); ok && !isNil {
			list = append(list, err)
		}
	}
	return list
}
