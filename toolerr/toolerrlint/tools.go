package toolerrlint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// addTool returns the package of the AddTool that a call calls, the tool if it is a literal, and the handler.
func (p *program) addTool(call *ast.CallExpr) (by string, tool *ast.CompositeLit, handler ast.Expr) {
	by, ok := strings.CutSuffix(p.callee(call), ".AddTool")
	if !ok || !slices.Contains([]string{"mcp", "result", "result/idempotency"}, by) || len(call.Args) < 3 {
		return "", nil, nil
	}
	return by, literal(call.Args[1]), call.Args[len(call.Args)-1]
}

// checkStore: a store that is made for each session or request remembers no call of another.
func checkStore(p *program, call *ast.CallExpr) {
	if name := p.callee(call); name == "mcp.NewStreamableHTTPHandler" || name == "mcp.NewSSEHandler" {
		checkMade(p, p.bodyOf(call.Args[0]), map[*ast.BlockStmt]bool{})
	}
}

// checkMade reports the stores that a function makes in each of its calls, or a function of this package that it calls.
func checkMade(p *program, body *ast.BlockStmt, seen map[*ast.BlockStmt]bool) {
	if body == nil || seen[body] {
		return
	}
	seen[body] = true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.IfStmt, *ast.SwitchStmt: // which may run once
			return false
		case *ast.CompositeLit, *ast.CallExpr:
			call, isCall := n.(*ast.CallExpr)
			made := n.(ast.Expr)
			if isCall && p.TypesInfo.Types[call.Fun].IsBuiltin() && len(call.Args) == 1 { // new
				made = call.Args[0]
			} else if isCall {
				checkMade(p, p.bodyOf(call.Fun), seen)
				return true
			}
			if isNamed(p.TypesInfo.TypeOf(made), "result/idempotency.MemoryStore") {
				p.report(n, "store", "a store for each session or request remembers no other's calls: make it once")
			}
		}
		return true
	})
}

// checkKey: the argument for a key means nothing to a tool that is not added by idempotency.AddTool. A tool that has
// no other argument looks the key up; one whose annotations say that it is safe, or are not seen, is left alone.
func checkKey(p *program, call *ast.CallExpr) {
	by, tool, handler := p.addTool(call)
	if by != "mcp" && by != "result" || tool == nil || by == "mcp" && !p.imports("result") ||
		p.bodyOf(handler) == nil { // it may come from idempotency.Handler
		return
	}
	if a := member(tool, "Annotations"); a != nil && (literal(a) == nil ||
		member(literal(a), "ReadOnlyHint") != nil || member(literal(a), "IdempotentHint") != nil) {
		return
	}
	h, ok := p.TypesInfo.TypeOf(handler).Underlying().(*types.Signature)
	if !ok || h.Params().Len() != 3 {
		return
	}
	in := h.Params().At(2).Type().Underlying()
	if ptr, ok := in.(*types.Pointer); ok {
		in = ptr.Elem().Underlying()
	}
	input, ok := in.(*types.Struct)
	if !ok || input.NumFields() < 2 {
		return
	}
	for i := range input.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(input.Tag(i)).Get("json"), ",")
		if name == "idempotency_key" || name == "idempotencyKey" {
			p.report(call, "key", "the argument "+name+" prevents no second run: use idempotency.AddTool")
		}
	}
}

// checkReadOnly: clients repeat the calls of a read-only tool. A POST may be a search, unless the handler sends a key
// with it, or expects that something is created.
func checkReadOnly(p *program, call *ast.CallExpr) {
	by, tool, handler := p.addTool(call)
	body := p.bodyOf(handler)
	hint := member(literal(member(tool, "Annotations")), "ReadOnlyHint")
	if by == "" || body == nil || hint == nil {
		return
	}
	if v := p.TypesInfo.Types[hint].Value; v == nil || !constant.BoolVal(v) {
		return
	}
	creates := false
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.CallExpr:
			creates = creates || p.setsKey(n)
		case *ast.SelectorExpr:
			c := p.TypesInfo.Uses[n.Sel]
			creates = creates || c != nil && c.Pkg() != nil && c.Pkg().Path() == "net/http" && c.Name() == "StatusCreated"
		}
	}
	for inner := range p.calls(body) {
		method := p.method(inner)
		if slices.Contains([]string{"PUT", "DELETE", "PATCH"}, method) || method == "POST" && creates {
			p.report(inner, "readonly", method+" in a tool with ReadOnlyHint, whose calls are repeated")
		}
	}
}

// checkUnannotated: a tool that only reads, and does not say so, is repeated after fewer failures. It certainly only
// reads if its handler sends GETs, and calls and sets nothing else that another call may see.
func checkUnannotated(p *program, call *ast.CallExpr) {
	by, tool, handler := p.addTool(call)
	body := p.bodyOf(handler)
	if by != "mcp" && by != "result" || tool == nil || body == nil || member(tool, "Annotations") != nil {
		return
	}
	sends := false
	for n := range ast.Preorder(body) {
		if !p.harmless(n, body) {
			return
		}
		inner, ok := n.(*ast.CallExpr)
		sends = sends || ok && slices.Contains(senders, p.callee(inner))
	}
	if sends {
		p.report(call, "unannotated", "the tool only reads, and more failures are repeated if ReadOnlyHint says so")
	}
}

// senders are the functions that send a request, which is a GET if no other request is made.
var senders = []string{"net/http.Get", "net/http.Client.Get", "net/http.Client.Do"}

// harmless reports whether a node of a handler certainly changes nothing that another call may see.
func (p *program) harmless(n ast.Node, body *ast.BlockStmt) bool {
	isShared := func(e ast.Expr) bool { return !p.isLocal(e, body) }
	switch n := n.(type) {
	case *ast.GoStmt, *ast.SendStmt:
		return false
	case *ast.IncDecStmt:
		return p.isLocal(n.X, body)
	case *ast.AssignStmt:
		return !slices.ContainsFunc(n.Lhs, isShared)
	case *ast.UnaryExpr:
		return n.Op != token.AND || literal(n) != nil || p.isLocal(n.X, body)
	case *ast.KeyValueExpr:
		id, ok := n.Key.(*ast.Ident)
		return !ok || id.Name != "Method" || p.text(n.Value) == "GET"
	case *ast.CallExpr:
		if method := p.method(n); method != "" {
			return method == "GET"
		}
		return slices.Contains(senders, p.callee(n)) || p.isPure(n)
	}
	return true
}

// pure are packages whose functions change nothing but what they are called with.
var pure = strings.Fields(`bytes cmp context encoding/base64 encoding/json errors fmt io maps math net/url regexp slices
	sort strconv strings time toolerr result`)

// isPure reports whether a call is of a function of such a package, or the like.
func (p *program) isPure(call *ast.CallExpr) bool {
	if t := p.TypesInfo.Types[call.Fun]; t.IsType() || t.IsBuiltin() {
		return !slices.Contains([]string{"clear", "close", "copy", "delete"}, types.ExprString(call.Fun))
	}
	fn := p.function(call)
	if fn == nil || fn.Pkg() == nil {
		return fn != nil // the method Error
	}
	name := nameOf(fn)
	return slices.Contains(pure, short(fn.Pkg())) || strings.HasPrefix(name, "net/http.Header.") ||
		name == "net/http.Request.WithContext"
}

// isLocal reports whether e is a variable of a function, or a part of it, that nobody else sees.
func (p *program) isLocal(e ast.Expr, body *ast.BlockStmt) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		o := p.TypesInfo.ObjectOf(x)
		return x.Name == "_" || o != nil && body.Pos() <= o.Pos() && o.Pos() < body.End()
	case *ast.SelectorExpr:
		_, isStruct := p.TypesInfo.TypeOf(x.X).Underlying().(*types.Struct)
		return isStruct && p.isLocal(x.X, body)
	}
	return false
}

// method returns the constant method of the request that a call of net/http makes.
func (p *program) method(call *ast.CallExpr) string {
	switch p.callee(call) {
	case "net/http.NewRequest":
		return p.text(call.Args[0])
	case "net/http.NewRequestWithContext":
		return p.text(call.Args[1])
	case "net/http.Post", "net/http.PostForm", "net/http.Client.Post", "net/http.Client.PostForm":
		return "POST"
	}
	return ""
}

// setsKey reports whether a call sets the header that makes net/http repeat a request.
func (p *program) setsKey(call *ast.CallExpr) bool {
	name := p.callee(call)
	if name != "net/http.Header.Set" && name != "net/http.Header.Add" {
		return false
	}
	header := strings.ToLower(p.text(call.Args[0]))
	return header == "idempotency-key" || header == "x-idempotency-key"
}

// checkReplay: net/http repeats a request with a key by itself if it has the body's copy. A package that states
// UpstreamDedupes may repeat it.
func checkReplay(p *program, fn *ast.FuncDecl) {
	if fn.Body == nil || p.dedupes() {
		return
	}
	requests := map[types.Object]bool{}
	var keyed []*ast.CallExpr
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if sel, ok := lhs.(*ast.SelectorExpr); ok && (sel.Sel.Name == "GetBody" || sel.Sel.Name == "Body") {
					delete(requests, p.object(sel.X))
				}
			}
			call, ok := n.Rhs[0].(*ast.CallExpr)
			if ok && p.callee(call) != "" && p.method(call) == "POST" && p.copied(call) && p.object(n.Lhs[0]) != nil {
				requests[p.object(n.Lhs[0])] = true
			}
		case *ast.CallExpr:
			if p.setsKey(n) {
				keyed = append(keyed, n)
			}
		}
	}
	for _, call := range keyed {
		header, ok := call.Fun.(*ast.SelectorExpr).X.(*ast.SelectorExpr)
		if ok && requests[p.object(header.X)] {
			p.report(call, "replay", "net/http repeats a POST with this header: set the request's GetBody to nil")
		}
	}
}

// copied reports whether net/http can read the body of a new request twice.
func (p *program) copied(call *ast.CallExpr) bool {
	t := p.TypesInfo.TypeOf(call.Args[len(call.Args)-1])
	return isNamed(t, "bytes.Reader") || isNamed(t, "bytes.Buffer") || isNamed(t, "strings.Reader")
}

func (p *program) dedupes() bool {
	for id, obj := range p.TypesInfo.Uses {
		if v, ok := obj.(*types.Var); ok && v.IsField() && id.Name == "UpstreamDedupes" {
			return true
		}
	}
	return false
}
