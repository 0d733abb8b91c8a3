package toolerr

import (
	"reflect"
)

// mongo judges an error of MongoDB by its labels, then by the codes of the
// writes that failed.
func (l looking) mongo() verdict {
	if e, ok := reflect.TypeAssert[interface{ HasErrorLabel(string) bool }](l.value); ok {
		switch {
		case e.HasErrorLabel("SystemOverloadedError"):
			return vThrottled
		case e.HasErrorLabel("TransientTransactionError"):
			return vUnavailable
		case e.HasErrorLabel("NetworkError"):
			return vBroken
		}
	}
	if !l.object.IsValid() {
		if l.value.Kind() == reflect.Slice {
			return l.writes(l.value)
		}
		return verdict{}
	}
	if f := l.object.FieldByName("WriteErrors"); f.IsValid() {
		if v := l.writes(f); v.known() {
			return v
		}
	}
	if f := l.object.FieldByName("WriteConcernError"); f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil() {
		return l.write(f.Elem())
	}
	return verdict{}
}

// writes judges a list or map of failed writes: the first that forbids a retry,
// else the first.
func (l looking) writes(list reflect.Value) (first verdict) {
	var items []reflect.Value
	switch list.Kind() { //nolint:exhaustive // there are no other kinds
	case reflect.Slice:
		for i := range min(list.Len(), maxList) {
			items = append(items, list.Index(i))
		}
	case reflect.Map:
		for it := list.MapRange(); it.Next() && len(items) < maxList; {
			items = append(items, it.Value())
		}
	}
	for _, item := range items {
		v := l.write(item)
		if v.known() && (!first.known() || first.retryable && !v.retryable) {
			first = v
		}
	}
	return first
}

func (l looking) write(item reflect.Value) verdict {
	if item.Kind() != reflect.Struct {
		return verdict{}
	}
	code := item.FieldByName("Code")
	if !code.IsValid() {
		return verdict{}
	}
	n, _ := number(code)
	return l.numbers(n)
}
