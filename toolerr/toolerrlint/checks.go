package toolerrlint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// checkMiddleware: the first argument of AddReceivingMiddleware is the outermost; sending middleware sees no results.
func checkMiddleware(pass *analysis.Pass, call *ast.CallExpr) {
	path, name := callee(pass, call)
	if path != sdk {
		return
	}
	for i, arg := range call.Args {
		if !is(pass, arg, "result", "Middleware") {
			continue
		}
		switch {
		case name == "Server.AddSendingMiddleware":
			sel := call.Fun.(*ast.SelectorExpr).Sel
			report(pass, call, "sending", "result.Middleware does nothing as sending middleware",
				replace(sel, "AddReceivingMiddleware"))
		case name == "Server.AddReceivingMiddleware" && i > 0:
			if first, _ := callee(pass, call.Args[0]); !strings.HasPrefix(first, module) {
				report(pass, arg, "outermost", "the errors of the middleware before result.Middleware are sent raw")
			}
		}
	}
}

// checkLast: the last AddReceivingMiddleware on a server adds the outermost middleware.
func checkLast(pass *analysis.Pass, block *ast.BlockStmt) {
	ours := map[types.Object]*ast.CallExpr{}
	for _, s := range block.List {
		stmt, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		path, name := callee(pass, stmt.X)
		if path != sdk || name != "Server.AddReceivingMiddleware" {
			continue
		}
		call := ast.Unparen(stmt.X).(*ast.CallExpr)
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || object(pass, sel.X) == nil || len(call.Args) == 0 || call.Ellipsis.IsValid() {
			continue
		}
		server := object(pass, sel.X)
		first, _ := callee(pass, call.Args[0])
		switch {
		case is(pass, call.Args[0], "result", "Middleware"):
			ours[server] = call
		case ours[server] != nil && !strings.HasPrefix(first, module) && len(call.Args) == 1:
			report(pass, call, "outermost", "the errors of middleware that is added after result.Middleware are sent raw")
		}
	}
}

// checkData: the text of an error, sent as a success.
func checkData(pass *analysis.Pass, call *ast.CallExpr) {
	if !is(pass, call, "result", "OK") || len(call.Args) != 1 {
		return
	}
	values := []ast.Expr{call.Args[0]}
	if lit, ok := ast.Unparen(call.Args[0]).(*ast.CompositeLit); ok {
		values = nil
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				values = append(values, kv.Value)
			}
		}
	}
	failure := types.Universe.Lookup("error").Type()
	for _, v := range values {
		if inner, ok := ast.Unparen(v).(*ast.CallExpr); ok {
			sel, ok := inner.Fun.(*ast.SelectorExpr)
			if ok && sel.Sel.Name == "Error" && len(inner.Args) == 0 && types.Identical(pass.TypesInfo.TypeOf(sel.X), failure) {
				report(pass, v, "data", "a failure is sent as data: return the error")
			}
		} else if len(values) > 0 && v != call.Args[0] && types.Identical(pass.TypesInfo.TypeOf(v), failure) {
			report(pass, v, "data", "an error in a map is sent as {}: return the error")
		}
	}
}

// checkPrecondition: FailedPrecondition's second argument is the name of a tool, and a sentence is dropped.
func checkPrecondition(pass *analysis.Pass, call *ast.CallExpr) {
	if !is(pass, call, "toolerr", "FailedPrecondition") || len(call.Args) < 2 {
		return
	}
	v := pass.TypesInfo.Types[call.Args[1]].Value
	if v != nil && v.Kind() == constant.String && strings.ContainsAny(constant.StringVal(v), " \n") {
		report(pass, call.Args[1], "precondition", "a sentence is no tool's name and is dropped: use WithHint")
	}
}

// checkRetried: a Client retries by itself, so that attempts multiply.
func checkRetried(pass *analysis.Pass, call *ast.CallExpr) {
	if !is(pass, call, "retry", "Do") || len(call.Args) < 3 {
		return
	}
	ast.Inspect(call.Args[2], func(n ast.Node) bool {
		if inner, ok := n.(*ast.CallExpr); ok && is(pass, inner, "retry", "Client.CallTool") {
			report(pass, inner, "retried", "Client.CallTool retries by itself: attempts multiply")
		}
		return true
	})
}

// checkArguments and checkMember: a bare number as a duration is in nanoseconds.
func checkArguments(pass *analysis.Pass, call *ast.CallExpr) {
	if path, _ := callee(pass, call); strings.HasPrefix(path, module) {
		for _, arg := range call.Args {
			checkDuration(pass, arg)
		}
	}
}

func checkMember(pass *analysis.Pass, kv *ast.KeyValueExpr) {
	key, ok := kv.Key.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := pass.TypesInfo.Uses[key].(*types.Var)
	if ok && v.IsField() && v.Pkg() != nil && strings.HasPrefix(v.Pkg().Path(), module) {
		checkDuration(pass, kv.Value)
	}
}

func checkDuration(pass *analysis.Pass, e ast.Expr) {
	e = ast.Unparen(e)
	if t := pass.TypesInfo.Types[e]; t.Value == nil || !isNamed(t.Type, "time", "Duration") {
		return
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 { // time.Duration(30)
		e = ast.Unparen(call.Args[0])
	}
	switch x := e.(type) {
	case *ast.BasicLit:
	case *ast.Ident, *ast.SelectorExpr:
		if sel, ok := x.(*ast.SelectorExpr); ok {
			x = sel.Sel
		}
		c, ok := pass.TypesInfo.Uses[x.(*ast.Ident)].(*types.Const)
		if !ok || isNamed(c.Type(), "time", "Duration") {
			return
		}
	default:
		return
	}
	n, exact := constant.Int64Val(constant.ToInt(pass.TypesInfo.Types[e].Value))
	if exact && 0 < n && n < 1_000_000 { // less than a millisecond
		report(pass, e, "duration", "a bare number is in nanoseconds: multiply by time.Second")
	}
}

// checkDropped: an Error is a value, and With... returns a copy.
func checkDropped(pass *analysis.Pass, s *ast.ExprStmt) {
	path, name := callee(pass, s.X)
	if path == module+"toolerr" && strings.HasPrefix(name, "Error.With") {
		report(pass, s, "dropped", name+" returns a copy, and it is dropped")
	}
}

// checkWord: a category, a code, an effect or a reason in another spelling than the one that is compared and sent.
func checkWord(pass *analysis.Pass, lit *ast.BasicLit) {
	checkSpelling(pass, lit, pass.TypesInfo.TypeOf(lit))
}

func checkSpelling(pass *analysis.Pass, lit *ast.BasicLit, t types.Type) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || lit.Kind != token.STRING || named.Obj().Pkg() == nil ||
		!strings.HasPrefix(named.Obj().Pkg().Path(), module) {
		return
	}
	got, _ := strconv.Unquote(lit.Value)
	scope, near := named.Obj().Pkg().Scope(), ""
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), named) {
			continue
		}
		switch word := constant.StringVal(c.Val()); {
		case word == got:
			return
		case fold(word) == fold(got):
			near = word
		}
	}
	if near != "" {
		report(pass, lit, "word", "no "+named.Obj().Name()+": write "+strconv.Quote(near), replace(lit, strconv.Quote(near)))
	}
}

func fold(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}

// checkNil: Outcome.Err and FromResponse are nil pointers on success, which an error that holds them is not. Below a
// condition nothing is certain, and nothing is reported.
func checkNil(pass *analysis.Pass, ret *ast.ReturnStmt, stack []ast.Node) {
	var results *types.Tuple
	for i := len(stack) - 2; i >= 0 && results == nil; i-- {
		switch n := stack[i].(type) {
		case *ast.BlockStmt:
			if len(n.List) > 0 && n.List[0] != ast.Stmt(ret) && mayReturn(n.List) {
				return
			}
		case *ast.FuncDecl:
			results = pass.TypesInfo.Defs[n.Name].Type().(*types.Signature).Results()
		case *ast.FuncLit:
			results = pass.TypesInfo.TypeOf(n).(*types.Signature).Results()
		default:
			return
		}
	}
	if results == nil || results.Len() != len(ret.Results) {
		return
	}
	for i, e := range ret.Results {
		if !types.Identical(results.At(i).Type(), types.Universe.Lookup("error").Type()) {
			continue
		}
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Err" && isNamed(pass.TypesInfo.TypeOf(sel.X), module+"result", "Outcome") {
			report(pass, e, "nil", "Outcome.Err as an error is never nil: use AsError", replace(sel.Sel, "AsError()"))
		} else if is(pass, e, "toolerr", "FromResponse") {
			report(pass, e, "nil", "the result of FromResponse as an error is never nil: compare it with nil first")
		}
	}
}

// mayReturn reports whether a statement before the last may have excluded the success.
func mayReturn(list []ast.Stmt) bool {
	for _, s := range list[:len(list)-1] {
		switch s.(type) {
		case *ast.AssignStmt, *ast.DeclStmt, *ast.ExprStmt, *ast.DeferStmt:
		default:
			return true
		}
	}
	return false
}
