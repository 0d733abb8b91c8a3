package toolerrlint

import (
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// addTool returns the function that adds a tool ("mcp", "result" or "idempotency"), the tool and the handler.
func addTool(pass *analysis.Pass, call *ast.CallExpr) (by string, tool *ast.CompositeLit, handler ast.Expr) {
	path, name := callee(pass, call)
	if name != "AddTool" || len(call.Args) < 3 ||
		path != sdk && path != module+"result" && path != module+"result/idempotency" {
		return "", nil, nil
	}
	return path[strings.LastIndex(path, "/")+1:], literal(call.Args[1]), call.Args[len(call.Args)-1]
}

// literal returns the composite literal that e is, or is the address of.
func literal(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// member returns the value of a member of a struct's literal.
func member(lit *ast.CompositeLit, name string) ast.Expr {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}

// annotated reports whether a tool is certainly annotated with true.
func annotated(pass *analysis.Pass, tool *ast.CompositeLit, hint string) bool {
	annotations := literal(member(tool, "Annotations"))
	if annotations == nil {
		return false
	}
	value := pass.TypesInfo.Types[member(annotations, hint)].Value
	return value != nil && constant.BoolVal(value)
}

// checkStore: a store that is made for each session or request remembers no call of another.
func checkStore(pass *analysis.Pass, call *ast.CallExpr) {
	path, name := callee(pass, call)
	if path != sdk || name != "NewStreamableHTTPHandler" && name != "NewSSEHandler" {
		return
	}
	perSession, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
	if !ok {
		return
	}
	ast.Inspect(perSession.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.IfStmt, *ast.SwitchStmt: // which may run once
			return false
		case *ast.CompositeLit, *ast.CallExpr:
			e := n.(ast.Expr)
			made, isCall := n.(*ast.CallExpr)
			if isCall {
				fn, ok := made.Fun.(*ast.Ident)
				if !ok || pass.TypesInfo.Uses[fn] != types.Universe.Lookup("new") {
					return true
				}
				e = made.Args[0]
			}
			if isNamed(pass.TypesInfo.TypeOf(e), module+"result/idempotency", "MemoryStore") {
				report(pass, n, "store", "a store for each session or request remembers no other's calls: make it once")
			}
		}
		return true
	})
}

// checkKey: the argument for a key means nothing to a tool that is not added by idempotency.AddTool. A tool that has
// no other argument looks the key up; one whose annotations say that it is safe, or are not seen, is left alone.
func checkKey(pass *analysis.Pass, call *ast.CallExpr) {
	by, tool, handler := addTool(pass, call)
	if by != "mcp" && by != "result" || tool == nil || by == "mcp" && !uses(pass, "result") {
		return
	}
	if bodyOf(pass, handler) == nil { // it may come from idempotency.Handler
		return
	}
	if a := member(tool, "Annotations"); a != nil && (literal(a) == nil || member(literal(a), "ReadOnlyHint") != nil ||
		member(literal(a), "IdempotentHint") != nil) {
		return
	}
	h, ok := pass.TypesInfo.TypeOf(handler).Underlying().(*types.Signature)
	if !ok || h.Params().Len() != 3 {
		return
	}
	in := h.Params().At(2).Type().Underlying()
	if p, ok := in.(*types.Pointer); ok {
		in = p.Elem().Underlying()
	}
	input, ok := in.(*types.Struct)
	if !ok || input.NumFields() < 2 {
		return
	}
	for i := range input.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(input.Tag(i)).Get("json"), ",")
		if name == "idempotency_key" || name == "idempotencyKey" {
			report(pass, call, "key", "the argument "+name+" prevents no second run: use idempotency.AddTool")
		}
	}
}

// checkReadOnly: clients repeat the calls of a read-only tool. A POST may be a search, which the others are not.
func checkReadOnly(pass *analysis.Pass, call *ast.CallExpr) {
	by, tool, handler := addTool(pass, call)
	if by == "" || tool == nil || !annotated(pass, tool, "ReadOnlyHint") || !usesAny(pass) {
		return
	}
	body := bodyOf(pass, handler)
	if body == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		inner, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if method := requestMethod(pass, inner); slices.Contains([]string{"PUT", "DELETE", "PATCH"}, method) {
			report(pass, inner, "readonly", method+" in a tool with ReadOnlyHint, whose calls are repeated")
		}
		return true
	})
}

// checkMissing: the errors of tools in a program without result.Middleware are plain text. A server that is given to
// another package may get its middleware there.
func checkMissing(pass *analysis.Pass, call *ast.CallExpr) {
	by, _, handler := addTool(pass, call)
	if by != "mcp" || pass.Pkg.Name() != "main" || !uses(pass, "toolerr") || bodyOf(pass, handler) == nil {
		return
	}
	made, typed := false, false
	for _, file := range pass.Files {
		leaves := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				f, ok := pass.TypesInfo.Uses[n].(*types.Func)
				leaves = leaves || ok && (f.Name() == "AddReceivingMiddleware" || f.Name() == "Middleware")
			case *ast.KeyValueExpr:
				leaves = leaves || holdsServer(pass.TypesInfo.TypeOf(n.Value))
			case *ast.CallExpr:
				path, name := callee(pass, n)
				made = made || path == sdk && name == "NewServer"
				if path == sdk || strings.HasPrefix(path, module) && path != pass.Pkg.Path() {
					return true
				}
				for _, arg := range n.Args {
					leaves = leaves || path != pass.Pkg.Path() && holdsServer(pass.TypesInfo.TypeOf(arg))
				}
			}
			return true
		})
		if leaves {
			return
		}
	}
	ast.Inspect(bodyOf(pass, handler), func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok {
			path, _ := callee(pass, e)
			typed = typed || path == module+"toolerr"
		}
		return true
	})
	if made && typed {
		report(pass, call, "missing", "errors are sent as plain text: add result.Middleware to the server")
	}
}

func holdsServer(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	return ok && isNamed(p.Elem(), sdk, "Server")
}

// bodyOf returns the body of a function literal, or of a function of this package.
func bodyOf(pass *analysis.Pass, e ast.Expr) *ast.BlockStmt {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return e.Body
	case *ast.Ident:
		for _, file := range pass.Files {
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if ok && pass.TypesInfo.Defs[fn.Name] == pass.TypesInfo.Uses[e] {
					return fn.Body
				}
			}
		}
	}
	return nil
}

// uses reports whether the program's package imports a package of this module.
func uses(pass *analysis.Pass, pkg string) bool {
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == module+pkg })
}

func usesAny(pass *analysis.Pass) bool {
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool {
		return strings.HasPrefix(p.Path(), module)
	})
}
