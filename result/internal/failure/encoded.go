package failure

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// The SDK encodes a result after all middleware has returned. A result that cannot be
// encoded is never answered, and a panic of its methods ends the server.
var (
	errNil     = errors.New("the result has a content block that is nil")
	errForeign = errors.New("the result has a part of a type that the SDK does not know")
	errDeep    = errors.New("the result is nested too deep, or contains itself")
	errNotJSON = errors.New("the result is no JSON that a client can read: it is malformed, no UTF-8, nested too deep, or has a number over the range of a float64")
)

// maxDepth is the maximum nesting depth of plain values. Chosen: far more than outputs have.
// Deeper values are encoded once more, which ends values that contain themselves.
const maxDepth = 64

var sdk = reflect.TypeFor[mcp.TextContent]().PkgPath()

// Encoded returns a copy of a part of a result. In the copy every value of an open type
// (any) is plain or is its JSON encoding, so that the SDK calls no method of an author: a
// method may return something else the second time, or panic. It returns an error if v
// cannot be encoded, also for a panic.
func Encoded[T any](v T) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Recovered(p)
		}
	}()
	if err = encodeOpen(reflect.ValueOf(&out).Elem(), reflect.ValueOf(&v).Elem(), 0); err == nil && reflect.TypeFor[T]() != reflect.TypeFor[any]() {
		_, err = encodeValid(out) // the SDK's types have conditions too
	}
	return out, err
}

// encodeOpen sets dst to src with encoded values.
func encodeOpen(dst, src reflect.Value, depth int) error {
	dst.Set(src) // unexported fields too
	if depth > maxDepth {
		return errDeep
	}
	switch src.Kind() { //nolint:exhaustive // the other kinds have no parts
	case reflect.Interface:
		return encodeInterface(dst, src, depth)
	case reflect.Pointer:
		if src.IsNil() {
			return nil
		}
		dst.Set(reflect.New(src.Type().Elem()))
		return encodeOpen(dst.Elem(), src.Elem(), depth+1)
	case reflect.Struct:
		for i := range src.NumField() {
			if src.Type().Field(i).IsExported() {
				if err := encodeOpen(dst.Field(i), src.Field(i), depth+1); err != nil {
					return err
				}
			}
		}
	case reflect.Map:
		return encodeMap(dst, src, depth)
	case reflect.Slice:
		if kind := src.Type().Elem().Kind(); src.IsNil() || kind != reflect.Interface && kind != reflect.Pointer && kind != reflect.Struct {
			return nil
		}
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			if err := encodeOpen(dst.Index(i), src.Index(i), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func encodeMap(dst, src reflect.Value, depth int) error {
	if src.IsNil() {
		return nil
	}
	dst.Set(reflect.MakeMapWithSize(src.Type(), src.Len()))
	for iter := src.MapRange(); iter.Next(); {
		item := reflect.New(src.Type().Elem()).Elem()
		if err := encodeOpen(item, iter.Value(), depth+1); err != nil {
			return err
		}
		dst.SetMapIndex(iter.Key(), item)
	}
	return nil
}

// encodeInterface sets dst to an open value, plain or encoded, or to the value of an
// interface of the SDK. A content block of an author's own type becomes the SDK's.
func encodeInterface(dst, src reflect.Value, depth int) error {
	if src.Type().NumMethod() == 0 {
		v := src.Interface()
		if IsPlain(v) {
			return nil
		}
		raw, err := encodeValid(v)
		if err == nil {
			dst.Set(reflect.ValueOf(raw))
		}
		return err
	}
	elem := src.Elem()
	if !elem.IsValid() || elem.Kind() == reflect.Pointer && elem.IsNil() {
		return errNil
	}
	if elem.Kind() != reflect.Pointer || elem.Type().Elem().PkgPath() != sdk {
		return encodeBlock(dst, src)
	}
	known := reflect.New(elem.Type()).Elem()
	err := encodeOpen(known, elem, depth+1)
	dst.Set(known)
	return err
}

// encodeBlock sets dst to a content block of an author's own type as a client decodes it.
func encodeBlock(dst, src reflect.Value) error {
	block, ok := reflect.TypeAssert[mcp.Content](src)
	if !ok {
		return errForeign
	}
	raw, err := encodeValid(block)
	if err != nil {
		return err
	}
	var r mcp.CallToolResult
	if err := json.Unmarshal([]byte(`{"content":[`+string(raw)+`]}`), &r); err != nil || len(r.Content) != 1 {
		return errors.Join(errForeign, err)
	}
	dst.Set(reflect.ValueOf(r.Content[0]))
	return nil
}

// encodeValid returns the encoding of v if a client can read it.
func encodeValid(v any) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the result cannot be encoded: %w", err)
	case !jsonvalue.Valid(raw): // of raw JSON inside, or of what nests too deep
		return nil, errNotJSON
	}
	return raw, nil
}

// IsPlain reports whether v is a value like those of a JSON decoder, which can always be
// encoded and has no methods.
func IsPlain(v any) bool { return isPlainValue(v, 0) }

func isPlainValue(v any, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := v.(type) {
	case nil, bool, string, int, int64:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case map[string]any:
		for _, item := range v {
			if !isPlainValue(item, depth+1) {
				return false
			}
		}
		return true
	case []any:
		for _, item := range v {
			if !isPlainValue(item, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// EncodedBlock is [Encoded] for a content block. It returns the block itself, and true, if
// the block can always be encoded.
func EncodedBlock(block mcp.Content) (out mcp.Content, same bool, err error) {
	if isPlainBlock(block) {
		return block, true, nil
	}
	out, err = Encoded(block)
	return out, false, err
}

// isPlainBlock reports whether a content block can always be encoded.
func isPlainBlock(block mcp.Content) bool {
	switch b := block.(type) {
	case *mcp.TextContent:
		return b != nil && hasPlainNotes(b.Meta, b.Annotations)
	case *mcp.ImageContent:
		return b != nil && hasPlainNotes(b.Meta, b.Annotations)
	case *mcp.AudioContent:
		return b != nil && hasPlainNotes(b.Meta, b.Annotations)
	case *mcp.ResourceLink:
		return b != nil && hasPlainNotes(b.Meta, b.Annotations)
	case *mcp.EmbeddedResource:
		return b != nil && b.Resource != nil && b.Resource.URI != "" &&
			hasPlainNotes(b.Meta, b.Annotations) && hasPlainNotes(b.Resource.Meta, nil)
	}
	return false
}

func hasPlainNotes(meta mcp.Meta, a *mcp.Annotations) bool {
	return IsPlain(map[string]any(meta)) && (a == nil || IsPlain(a.Priority))
}
