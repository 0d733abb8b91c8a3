package classify

import (
	"reflect"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// mongo classifies an error of MongoDB by its labels, then by the codes of its failed
// writes.
func (in *inspector) mongo() class.Class {
	if e, ok := reflect.TypeAssert[interface{ HasErrorLabel(string) bool }](in.value); ok {
		switch {
		case e.HasErrorLabel("SystemOverloadedError"):
			return class.Throttled
		case e.HasErrorLabel("TransientTransactionError"):
			return class.Unavailable
		case e.HasErrorLabel("NetworkError"):
			return class.ReplyLost
		}
	}
	if !in.object.IsValid() {
		return in.writes(in.value)
	}
	if c := in.writes(in.object.FieldByName("WriteErrors")); c != class.Unknown {
		return c
	}
	if f := in.object.FieldByName("WriteConcernError"); f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil() {
		return in.write(f.Elem())
	}
	return class.Unknown
}

// writes classifies a list or map of failed writes: by the first that forbids a retry,
// otherwise by the first.
func (in *inspector) writes(list reflect.Value) (first class.Class) {
	var items []reflect.Value
	switch list.Kind() { //nolint:exhaustive // there are no other kinds
	case reflect.Slice:
		for i := range min(list.Len(), answers.MaxItems) {
			items = append(items, list.Index(i))
		}
	case reflect.Map:
		for it := list.MapRange(); it.Next() && len(items) < answers.MaxItems; {
			items = append(items, it.Value())
		}
	}
	for _, item := range items {
		if c := in.write(item); c != class.Unknown && (first == class.Unknown || first.Retryable() && !c.Retryable()) {
			first = c
		}
	}
	return first
}

func (in *inspector) write(item reflect.Value) class.Class {
	if item.Kind() != reflect.Struct {
		return class.Unknown
	}
	code := item.FieldByName("Code")
	if !code.IsValid() {
		return class.Unknown
	}
	n, _ := number(code)
	return in.codes.Class(n)
}
