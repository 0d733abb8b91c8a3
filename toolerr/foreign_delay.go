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
func retryInfo(l looking) (d time.Duration) {
	eachDetail(l, func(item reflect.Value) bool {
		if !strings.HasSuffix(item.Type().String(), ".RetryInfo") {
			return true
		}
		wait := item.MethodByName("GetRetryDelay").Call(nil)[0]
		if p, ok := reflect.TypeAssert[interface{ AsDuration() time.Duration }](wait); ok {
			d = clamp(p.AsDuration())
		}
		return false
	})
	return d
}

// detail returns what a method of the detail of that type says, or nothing.
func detail(l looking, typeName, method string) (text string) {
	eachDetail(l, func(item reflect.Value) bool {
		if !strings.HasSuffix(item.Type().String(), "."+typeName) {
			return true
		}
		if m := item.MethodByName(method); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
			text = word(m.Call(nil)[0])
		}
		return false
	})
	return text
}

// eachDetail calls f with each detail of a gRPC or Connect error until it returns
// false.
func eachDetail(l looking, f func(reflect.Value) bool) {
	list, ok := l.call("Details")
	if !ok || list.Kind() != reflect.Slice {
		return
	}
	for i := range min(list.Len(), maxList) {
		item := list.Index(i)
		if item.Kind() == reflect.Interface {
			item = item.Elem()
		}
		if !item.IsValid() {
			continue
		}
		if value := item.MethodByName("Value"); value.IsValid() && value.Type().NumIn() == 0 && value.Type().NumOut() == 2 {
			if item = value.Call(nil)[0]; item.Kind() == reflect.Interface {
				item = item.Elem()
			}
		}
		if item.IsValid() && !f(item) {
			return
		}
	}
}
