package classify

import "reflect"

// mongo classifies an error of MongoDB by its labels, then by the codes of the
// writes that failed.
func (in inspector) mongo() class {
	if e, ok := reflect.TypeAssert[interface{ HasErrorLabel(string) bool }](in.value); ok {
		switch {
		case e.HasErrorLabel("SystemOverloadedError"):
			return throttled
		case e.HasErrorLabel("TransientTransactionError"):
			return unavailable
		case e.HasErrorLabel("NetworkError"):
			return replyLost
		}
	}
	if !in.object.IsValid() {
		return in.writes(in.value)
	}
	if c := in.writes(in.object.FieldByName("WriteErrors")); c != unknown {
		return c
	}
	if f := in.object.FieldByName("WriteConcernError"); f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil() {
		return in.write(f.Elem())
	}
	return unknown
}

// writes classifies a list or map of failed writes: the first that forbids a retry,
// else the first.
func (in inspector) writes(list reflect.Value) (first class) {
	var items []reflect.Value
	switch list.Kind() { //nolint:exhaustive // there are no other kinds
	case reflect.Slice:
		for i := range min(list.Len(), maxItems) {
			items = append(items, list.Index(i))
		}
	case reflect.Map:
		for it := list.MapRange(); it.Next() && len(items) < maxItems; {
			items = append(items, it.Value())
		}
	}
	for _, item := range items {
		if c := in.write(item); c != unknown && (first == unknown || first.retryable() && !c.retryable()) {
			first = c
		}
	}
	return first
}

func (in inspector) write(item reflect.Value) class {
	if item.Kind() != reflect.Struct {
		return unknown
	}
	code := item.FieldByName("Code")
	if !code.IsValid() {
		return unknown
	}
	n, _ := number(code)
	return in.codes.class(n)
}
