package mcpotel

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxDepth bounds how many values of a context are searched. Chosen: the SDK and the
// transport add fewer than ten.
const maxDepth = 50

// An idReader reads the id of a server's request. The SDK stores it in the handler's
// context under an unexported key. If the key is not found, there is no id. It is safe
// for concurrent use.
type idReader struct{ key atomic.Value }

// read returns the id, or "".
func (r *idReader) read(ctx context.Context) string {
	key := r.key.Load()
	if key == nil {
		if key = findKey(ctx); key == nil {
			return ""
		}
		r.key.Store(key)
	}
	id, ok := ctx.Value(key).(jsonrpc.ID)
	if !ok || !id.IsValid() {
		return ""
	}
	return limited(id)
}

// limited returns an id as text of bounded length. A client may send any id.
func limited(id jsonrpc.ID) string {
	text := fmt.Sprint(id.Raw())
	return strings.ToValidUTF8(text[:min(len(text), maxToolName)], "")
}

// findKey returns the SDK's key, which is a struct without fields, from the chain of
// contexts, or nil.
func findKey(ctx context.Context) (key any) {
	defer func() {
		if recover() != nil { // a context of another type has a nil pointer
			key = nil
		}
	}()
	for v, depth := reflect.ValueOf(ctx), 0; depth < maxDepth; depth++ {
		for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return nil
		}
		if k := v.FieldByName("key"); k.Kind() == reflect.Interface && !k.IsNil() {
			if t := k.Elem().Type(); t.Name() == "idContextKey" && t.Kind() == reflect.Struct && t.NumField() == 0 {
				return reflect.Zero(t).Interface()
			}
		}
		inner := v.FieldByName("Context") // embedded, as the standard library's contexts have it
		if !inner.IsValid() {
			inner = v.FieldByName("c") // context.WithoutCancel
		}
		if !inner.IsValid() {
			return nil
		}
		v = inner
	}
	return nil
}
