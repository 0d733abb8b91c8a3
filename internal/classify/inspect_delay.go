package classify

import (
	"reflect"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// after returns the delay that err requires, or 0. It returns 0 if a method panics.
func (in *inspector) after(err error) (d time.Duration) {
	defer func() {
		if recover() != nil {
			d = 0
		}
	}()
	if e, ok := err.(interface{ RetryAfter() time.Duration }); ok {
		return class.ClampDelay(e.RetryAfter())
	}
	for f := range in.fields(in.delays) {
		if d := delay(f); d > 0 {
			return d
		}
	}
	if d, ok := in.kubernetesDelay(); ok {
		return d
	}
	if in.grpc != nil {
		return in.grpc.retryInfo()
	}
	return in.retryInfo()
}

// reset returns the delay until a limit ends, from a field Reset, or one in a field Rate as
// in go-github.
func (in *inspector) reset() time.Duration {
	for f := range in.fields(in.resets) {
		if at, ok := reflect.TypeAssert[time.Time](f); ok {
			if d := class.ClampDelay(time.Until(at)); d > 0 {
				return d
			}
		}
	}
	return 0
}

func (in *inspector) kubernetesDelay() (time.Duration, bool) {
	status, ok := in.statusStruct()
	if !ok {
		return 0, false
	}
	details := status.FieldByName("Details")
	if details.Kind() != reflect.Pointer || details.IsNil() || details.Elem().Kind() != reflect.Struct {
		return 0, false
	}
	s := details.Elem().FieldByName("RetryAfterSeconds")
	if !s.IsValid() || !isInt(s.Type()) {
		return 0, false
	}
	return delay(s), true
}

// delay converts a wait. A bare number is in seconds, as in all known APIs with one.
func delay(v reflect.Value) time.Duration {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0
		}
		v = v.Elem()
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return class.ClampDelay(time.Duration(v.Int()))
	case v.CanFloat():
		return class.Seconds(v.Float())
	}
	n, _ := number(v)
	return class.Seconds(float64(n))
}

// retryInfo returns the delay of the google.rpc.RetryInfo in the details of a gRPC or
// Connect error.
func (in *inspector) retryInfo() time.Duration {
	for item := range in.details {
		info := reflect.Indirect(item)
		if !isDetail(item, "RetryInfo") || info.Kind() != reflect.Struct {
			continue
		}
		wait := info.FieldByName("RetryDelay")
		if !wait.IsValid() || !wait.CanInterface() {
			continue
		}
		if p, ok := reflect.TypeAssert[interface{ AsDuration() time.Duration }](wait); ok {
			return class.ClampDelay(p.AsDuration())
		}
	}
	return 0
}

// reason returns the reason of the first google.rpc.ErrorInfo in the details.
func (in *inspector) reason() string {
	for item := range in.details {
		if !isDetail(item, "ErrorInfo") {
			continue
		}
		if e, ok := reflect.TypeAssert[interface{ GetReason() string }](item); ok {
			return e.GetReason()
		}
		break
	}
	return ""
}

// details calls yield for each detail of a gRPC or Connect error, opened.
func (in *inspector) details(yield func(reflect.Value) bool) {
	for value := range in.detailValues {
		if item := opened(value); item.IsValid() && !yield(item) {
			return
		}
	}
}

// isDetail reports whether a detail is of the type with this name.
func isDetail(item reflect.Value, name string) bool { return typeInfoOf(item.Type()).name == name }

// detailValues calls yield for each detail of a gRPC or Connect error.
func (in *inspector) detailValues(yield func(reflect.Value) bool) {
	if in.rpc.code != nil { // readStatus decoded them
		for _, detail := range in.decoded[:min(len(in.decoded), answers.MaxItems)] {
			if detail != nil && !yield(reflect.ValueOf(detail)) {
				return
			}
		}
		return
	}
	list, ok := in.call("Details")
	if !ok || list.Kind() != reflect.Slice {
		return
	}
	for i := range min(list.Len(), answers.MaxItems) {
		if !yield(list.Index(i)) {
			return
		}
	}
}

// opened returns the result of a detail's Value method, which decodes it, or the detail
// itself.
func opened(item reflect.Value) reflect.Value {
	if item.Kind() == reflect.Interface {
		item = item.Elem()
	}
	if !item.IsValid() {
		return item
	}
	if i := typeInfoOf(item.Type()).opens; i >= 0 {
		if item = item.Method(i).Call(nil)[0]; item.Kind() == reflect.Interface {
			item = item.Elem()
		}
	}
	return item
}
