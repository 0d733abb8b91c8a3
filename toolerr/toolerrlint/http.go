package toolerrlint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// requestMethod returns the constant method of the request that a call of net/http makes.
func requestMethod(pass *analysis.Pass, call *ast.CallExpr) string {
	path, name := callee(pass, call)
	at := map[string]int{"NewRequest": 0, "NewRequestWithContext": 1}
	i, ok := at[name]
	if path != "net/http" || !ok || len(call.Args) <= i {
		return ""
	}
	if v := pass.TypesInfo.Types[call.Args[i]].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// checkReplay: net/http repeats a request with the header Idempotency-Key by itself if it has the body's copy. A
// package that states UpstreamDedupes may repeat it.
func checkReplay(pass *analysis.Pass, body *ast.BlockStmt) {
	if !usesAny(pass) || stateDedupes(pass) {
		return
	}
	requests, released := map[types.Object]bool{}, map[types.Object]bool{}
	var keyed []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if sel, ok := lhs.(*ast.SelectorExpr); ok && (sel.Sel.Name == "GetBody" || sel.Sel.Name == "Body") {
					released[object(pass, sel.X)] = true
				}
			}
			if call, ok := n.Rhs[0].(*ast.CallExpr); ok && requestMethod(pass, call) == "POST" && copied(pass, call) {
				requests[object(pass, n.Lhs[0])] = true
			}
		case *ast.CallExpr:
			if path, name := callee(pass, n); path == "net/http" && (name == "Header.Set" || name == "Header.Add") {
				v := pass.TypesInfo.Types[n.Args[0]].Value
				if v != nil && (strings.EqualFold(constant.StringVal(v), "Idempotency-Key") ||
					strings.EqualFold(constant.StringVal(v), "X-Idempotency-Key")) {
					keyed = append(keyed, n)
				}
			}
		}
		return true
	})
	for _, call := range keyed {
		header, ok := call.Fun.(*ast.SelectorExpr).X.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if req := object(pass, header.X); req != nil && requests[req] && !released[req] {
			report(pass, call, "replay", "net/http repeats a POST with this header: set the request's GetBody to nil")
		}
	}
}

// copied reports whether net/http can read the body of a new request twice.
func copied(pass *analysis.Pass, call *ast.CallExpr) bool {
	p, ok := pass.TypesInfo.TypeOf(call.Args[len(call.Args)-1]).(*types.Pointer)
	return ok && (isNamed(p.Elem(), "bytes", "Reader") || isNamed(p.Elem(), "bytes", "Buffer") ||
		isNamed(p.Elem(), "strings", "Reader"))
}

func stateDedupes(pass *analysis.Pass) bool {
	for id, obj := range pass.TypesInfo.Uses {
		if v, ok := obj.(*types.Var); ok && v.IsField() && id.Name == "UpstreamDedupes" {
			return true
		}
	}
	return false
}

func object(pass *analysis.Pass, e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	return pass.TypesInfo.ObjectOf(id)
}

// checkGuard: a Guard is for one conversation, and another's calls are held by it.
func checkGuard(pass *analysis.Pass, id *ast.Ident, stack []ast.Node) {
	v, ok := pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Parent() != pass.Pkg.Scope() || !guards(pass, v) {
		return
	}
	for _, n := range stack {
		sig := signature(pass, n)
		if sig == nil {
			continue
		}
		for p := range sig.Params().Variables() {
			t, ok := p.Type().(*types.Pointer)
			if ok && (isNamed(t.Elem(), "net/http", "Request") || isCallRequest(t)) {
				report(pass, id, "guard", "all users share this Guard, which is for one conversation")
				return
			}
		}
	}
}

func guards(pass *analysis.Pass, v *types.Var) bool {
	t := v.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if isNamed(t, module+"retry", "Guard") {
		return true
	}
	if !isNamed(t, module+"retry", "Client") {
		return false
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, s := range gen.Specs {
				spec := s.(*ast.ValueSpec)
				for i, name := range spec.Names {
					if pass.TypesInfo.Defs[name] == v && i < len(spec.Values) {
						return guardedLiteral(spec.Values[i])
					}
				}
			}
		}
	}
	return false
}

// guardedLiteral reports whether the literal of a Client has a Guard.
func guardedLiteral(e ast.Expr) bool {
	client := literal(e)
	if client == nil {
		return false
	}
	policy := literal(member(client, "Policy"))
	if policy == nil {
		return false
	}
	guard := member(policy, "Guard")
	id, isIdent := guard.(*ast.Ident)
	return guard != nil && (!isIdent || id.Name != "nil")
}

// signature returns the signature of a function's declaration or literal.
func signature(pass *analysis.Pass, n ast.Node) *types.Signature {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return pass.TypesInfo.Defs[n.Name].Type().(*types.Signature)
	case *ast.FuncLit:
		return pass.TypesInfo.TypeOf(n).(*types.Signature)
	}
	return nil
}

// isCallRequest reports whether t is *mcp.CallToolRequest, an alias of an instance.
func isCallRequest(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == sdk && named.Obj().Name() == "ServerRequest" &&
		named.TypeArgs().Len() == 1 && strings.HasSuffix(named.TypeArgs().At(0).String(), "mcp.CallToolParamsRaw")
}
