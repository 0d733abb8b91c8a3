package classify

import (
	"reflect"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// delay returns the delay that an error requires, or 0.
func (l *link) delay() time.Duration {
	if e, ok := l.err.(interface{ RetryAfter() time.Duration }); ok {
		return class.ClampDelay(e.RetryAfter())
	}
	for f := range l.fields(delays) {
		if d := delayIn(f); d > 0 {
			return d
		}
	}
	if status := l.kubernetes(); status != nil {
		return status.delay()
	}
	return l.rpc().after
}

// reset returns the delay until a limit ends, or 0.
func (l *link) reset() time.Duration {
	for f := range l.fields(resets) {
		if at, ok := reflect.TypeAssert[interface{ Unix() int64 }](f); ok {
			if d := class.ClampDelay(time.Until(time.Unix(at.Unix(), 0))); d > 0 {
				return d
			}
		}
	}
	return 0
}

// delayIn converts a delay. A bare number is in seconds, as in all known APIs.
func delayIn(v reflect.Value) time.Duration {
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
