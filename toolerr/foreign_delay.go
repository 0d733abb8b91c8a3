package toolerr

import (
	"reflect"
	"strings"
	"time"
)

// after reads the delay that err asks for, if any. What panics on the way has no
// delay.
func (l looking) after(err error) (d time.Duration) {
	defer func() {
		if recover() != nil {
			d = 0
		}
	}()
	if e, ok := err.(interface{ RetryAfter() time.Duration }); ok {
		return clamp(e.RetryAfter())
	}
	if l.object.IsValid() {
		for _, path := range l.delays {
			if fv, ok := field(l.object, path); ok {
				if d := delay(fv); d > 0 {
					return d
				}
			}
		}
	}
	if r, ok := l.call("Status"); ok && r.Kind() == reflect.Struct {
		details := r.FieldByName("Details")
		if details.Kind() == reflect.Pointer && !details.IsNil() && details.Elem().Kind() == reflect.Struct {
			if s := details.Elem().FieldByName("RetryAfterSeconds"); s.IsValid() && isInt(s.Type()) {
				return delay(s)
			}
		}
	}
	if r, ok := l.call("GRPCStatus"); ok && (r.Kind() != reflect.Pointer || !r.IsNil()) {
		return retryInfo(looking{shape: shapeOf(r.Type()), value: r})
	}
	return retryInfo(l)
}

// retryInfo looks for a google.rpc.RetryInfo among the details of a gRPC or
// Connect error.
func retryInfo(l looking) time.Duration {
	list, ok := l.call("Details")
	if !ok || list.Kind() != reflect.Slice {
		return 0
	}
	for i := range min(list.Len(), maxList) {
		item := list.Index(i)
		if item.Kind() == reflect.Interface {
			item = item.Elem()
		}
		if value := item.MethodByName("Value"); value.IsValid() && value.Type().NumIn() == 0 && value.Type().NumOut() == 2 {
			if item = value.Call(nil)[0]; item.Kind() == reflect.Interface {
				item = item.Elem()
			}
		}
		if !item.IsValid() || !strings.HasSuffix(item.Type().String(), ".RetryInfo") {
			continue
		}
		wait := item.MethodByName("GetRetryDelay").Call(nil)[0]
		if d, ok := reflect.TypeAssert[interface{ AsDuration() time.Duration }](wait); ok {
			return clamp(d.AsDuration())
		}
	}
	return 0
}
