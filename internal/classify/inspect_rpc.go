package classify

import (
	"reflect"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// rpcFields are the paths to the unexported fields in which grpc-go keeps its errors'
// status. They are read because calls by reflection dominate the cost of classifying a gRPC
// error. Both are nil for all other types, whose methods are called instead.
type rpcFields struct {
	status []int // a pointer to the status
	proto  []int // in a status, a pointer to its protocol message
	code   []int // in the message, the code
}

func rpcFieldsOf(t reflect.Type) (r rpcFields) {
	if t.PkgPath() != "google.golang.org/grpc/internal/status" || t.Kind() != reflect.Struct || t.NumField() != 1 {
		return r
	}
	f := t.Field(0)
	if f.Type.Kind() != reflect.Pointer || f.Type.Elem().Kind() != reflect.Struct {
		return r
	}
	returned, ok := reflect.PointerTo(t).MethodByName("GRPCStatus")
	if ok && returned.Type.NumOut() == 1 && returned.Type.Out(0) == f.Type {
		r.status = f.Index
	}
	if code, ok := f.Type.Elem().FieldByName("Code"); ok && code.Type.Kind() == reflect.Int32 {
		r.proto, r.code = f.Index, code.Index
	}
	return r
}

// readStatus reads the status of a gRPC error once, because calls by reflection are slow.
func (in *inspector) readStatus() {
	var r reflect.Value
	if in.isGRPC = in.rpc.status != nil && in.object.IsValid(); in.isGRPC {
		f := in.object.FieldByIndex(in.rpc.status)
		r = reflect.NewAt(f.Type().Elem(), f.UnsafePointer()) // readable like an exported field
	} else {
		r, in.isGRPC = in.call("GRPCStatus")
	}
	if in.isGRPC && (r.Kind() != reflect.Pointer || !r.IsNil()) {
		status := newInspector(r)
		if e, ok := reflect.TypeAssert[interface{ Details() []any }](r); ok && status.rpc.code != nil {
			status.decoded = e.Details() // once, because each call decodes them
		}
		in.grpc = &status
	}
}

// rpcCode returns the name of an RPC status's code.
func (in *inspector) rpcCode() (name string, ok bool) {
	if in.rpc.code == nil || !in.object.IsValid() {
		code, ok := in.call("Code")
		return named(code), ok
	}
	sent, n := in.object.FieldByIndex(in.rpc.proto), int64(0)
	if !sent.IsNil() {
		n = sent.Elem().FieldByIndex(in.rpc.code).Int()
	}
	if n < 0 || n >= int64(len(rpcNames)) {
		return "", true
	}
	return rpcNames[n], true
}

// readRPCCode reads an RPC status's code, and reports whether the class is clear.
func (in *inspector) readRPCCode(r *codes.Reader) bool {
	name, ok := in.rpcCode()
	if !ok || name == "" {
		return false
	}
	if c, ok := rpcClasses()[name]; ok {
		return r.ReadClass(c)
	}
	return r.Read(name)
}

// rpcNames are the names of gRPC's codes in numerical order:
// https://grpc.io/docs/guides/status-codes/.
var rpcNames = strings.Fields("OK Canceled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied ResourceExhausted " +
	"FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable DataLoss Unauthenticated")

var rpcClasses = sync.OnceValue(func() map[string]class.Class {
	classes := map[string]class.Class{}
	for _, name := range rpcNames {
		classes[name] = codes.FromWord(name)
	}
	return classes
})
