package classify

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// byNumber classifies by the library's own numbers, or by those of JSON-RPC.
func (in *inspector) byNumber() class.Class {
	if in.isMail {
		return in.byReply()
	}
	if in.codes == nil {
		return in.byJSONRPC()
	}
	if strings.HasPrefix(in.pkg, "go.mongodb.org/") {
		if c := in.mongo(); c != class.Unknown {
			return c
		}
	}
	if c := in.byNumberMethod(); c != class.Unknown {
		return c
	}
	if !in.object.IsValid() {
		n, _ := number(in.value)
		return in.codes.Class(n)
	}
	for f := range in.fields(in.number) {
		if n, ok := number(f); ok && n != 0 {
			if c := in.codes.Class(n); c != class.Unknown {
				return c
			}
		}
	}
	return class.Unknown
}

func (in *inspector) byNumberMethod() class.Class {
	for _, name := range []string{"ExtendedCode", "Code", "ErrorCode", "Number"} {
		if r, ok := in.call(name); ok {
			if n, ok := number(r); ok {
				if c := in.codes.Class(n); c != class.Unknown {
					return c
				}
			}
		}
	}
	return class.Unknown
}

// byJSONRPC classifies by the numbers that JSON-RPC 2.0 defines. The others differ between
// servers.
func (in *inspector) byJSONRPC() class.Class {
	for f := range in.fields(in.code) {
		if n, ok := number(f); ok && isJSONRPC(n) {
			return jsonRPC().Class(n)
		}
	}
	for _, i := range in.signed {
		if n := in.value.Method(i).Call(nil)[0].Int(); isJSONRPC(n) {
			return jsonRPC().Class(n)
		}
	}
	return class.Unknown
}

func isJSONRPC(n int64) bool { return -32700 <= n && n <= -32600 }

var jsonRPC = sync.OnceValue(func() *codes.Table { return codes.TableFor("github.com/sourcegraph/jsonrpc2") })
