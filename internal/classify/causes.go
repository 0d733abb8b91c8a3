package classify

import (
	"cmp"
	"reflect"
	"slices"
)

var errorType = reflect.TypeFor[error]()

// wraps reports whether errors of a type have a method that returns what they wrap.
func wraps(t reflect.Type) bool {
	return has[interface{ Unwrap() error }](t, nil) || has[interface{ Unwrap() []error }](t, nil) ||
		has[interface{ WrappedErrors() []error }](t, nil) || has[interface{ OrigErr() error }](t, nil)
}

// causePaths returns the paths to a struct's fields that hold errors, or lists or maps of
// errors.
func causePaths(t reflect.Type) (paths [][]int) {
	for _, f := range reflect.VisibleFields(t) {
		inner := f.Type
		if (inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map) && !inner.Implements(errorType) {
			inner = inner.Elem()
		}
		if f.IsExported() && !f.Anonymous && len(f.Index) == 1 && inner.Implements(errorType) {
			paths = append(paths, f.Index)
		}
	}
	return paths
}

// hidden returns the errors that an error holds in exported fields, or as a list, if it has
// no method that returns what it wraps.
func (t *typeInfo) hidden(err error) (list []error) {
	v := reflect.ValueOf(err)
	if kind := v.Kind(); kind == reflect.Slice || kind == reflect.Map {
		return errorList(v)
	}
	object := t.structOf(v)
	for _, path := range t.causes {
		if !object.IsValid() { // a nil pointer
			break
		}
		if f, err := object.FieldByIndexErr(path); err == nil {
			list = append(list, errorsOf(f)...)
		}
	}
	return list
}

// errorsOf returns the error in v, or the errors of the list in v.
func errorsOf(v reflect.Value) (list []error) {
	if e, ok := reflect.TypeAssert[error](v); ok && !isNil(v) {
		return []error{e}
	}
	return errorList(v)
}

// errorList returns the errors of a list, or of a map with string keys.
func errorList(v reflect.Value) (list []error) {
	add := func(item reflect.Value) {
		if e, ok := reflect.TypeAssert[error](item); ok && !isNil(item) {
			list = append(list, e)
		}
	}
	switch {
	case v.Kind() == reflect.Slice && v.Type().Elem().Implements(errorType):
		for i := range min(v.Len(), maxErrors) {
			add(v.Index(i))
		}
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String && v.Type().Elem().Implements(errorType):
		for _, key := range sortedKeys(v)[:min(v.Len(), maxErrors)] {
			add(v.MapIndex(key))
		}
	}
	return slices.Clip(list)
}

// sortedKeys returns the keys of a map of strings in ascending order.
func sortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	return keys
}

func isNil(v reflect.Value) bool {
	switch v.Kind() { //nolint:exhaustive // the others are never nil
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return false
}

// addHidden adds the finding of the errors in an error's fields. Its author does not
// declare them as wrapped, so that their retry does not prove that nothing else was done.
func (f *finding) addHidden(g *finding) {
	g.unproven = g.unproven || g.class.Retryable()
	f.addBranch(g)
}
