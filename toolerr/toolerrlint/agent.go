package toolerrlint

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checkRetried: a Client retries by itself, so that attempts multiply.
func checkRetried(p *program, call *ast.CallExpr) {
	if p.callee(call) != "retry.Do" {
		return
	}
	for inner, name := range p.calls(call.Args[2]) {
		if name == "retry.Client.CallTool" {
			p.report(inner, "retried", "Client.CallTool retries by itself: attempts multiply")
		}
	}
}

// checkLoop: a call that retries by itself, repeated with the same parameters until it succeeds.
func checkLoop(p *program, loop ast.Node) {
	var body *ast.BlockStmt
	switch loop := loop.(type) {
	case *ast.ForStmt:
		body = loop.Body
	case *ast.RangeStmt:
		t, ok := p.TypesInfo.TypeOf(loop.X).Underlying().(*types.Basic)
		if !ok || t.Info()&types.IsInteger == 0 {
			return
		}
		body = loop.Body
	default:
		return
	}
	for _, s := range body.List {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 2 {
			continue
		}
		call, out := assign.Rhs[0], p.object(assign.Lhs[0])
		if name := p.callee(call); out == nil || name != "retry.Client.CallTool" && name != "retry.CallTool" {
			continue
		}
		if untilSuccess(p, body, out) && unchanged(p, loop, ast.Unparen(call).(*ast.CallExpr)) {
			p.report(call, "loop", "the call is retried already: attempts multiply")
		}
	}
}

// untilSuccess reports whether the body leaves the loop if, and only if, out has no error.
func untilSuccess(p *program, body *ast.BlockStmt, out types.Object) bool {
	success, leaves := 0, 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			leaves++
		case *ast.IfStmt:
			cond, ok := n.Cond.(*ast.BinaryExpr)
			if !ok || cond.Op != token.EQL || !p.TypesInfo.Types[cond.Y].IsNil() || len(n.Body.List) == 0 {
				return true
			}
			sel, ok := cond.X.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Err" || p.object(sel.X) != out {
				return true
			}
			last := n.Body.List[len(n.Body.List)-1]
			branch, isBranch := last.(*ast.BranchStmt)
			if _, isReturn := last.(*ast.ReturnStmt); isReturn || isBranch && branch.Tok == token.BREAK {
				success++
			}
		}
		return true
	})
	return success == 1 && leaves == 1
}

// unchanged reports whether the loop neither sets nor passes on what the parameters are made of.
func unchanged(p *program, loop ast.Node, call *ast.CallExpr) bool {
	params := map[types.Object]bool{}
	for n := range ast.Preorder(call.Args[len(call.Args)-1]) {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := p.TypesInfo.Uses[n].(*types.Var)
			if ok && loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
				return false
			}
			params[v] = ok && !v.IsField()
		case *ast.CallExpr:
			return false
		}
	}
	same := true
	ast.Inspect(loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && params[p.TypesInfo.Uses[id]] {
			same = false
		}
		return n != ast.Node(call)
	})
	return same
}

// checkGuard: a Guard is for one conversation, and another's calls are held by it.
func checkGuard(p *program, n ast.Node) {
	sig, body := p.signature(n)
	if sig == nil || body == nil {
		return
	}
	for param := range sig.Params().Variables() {
		if !isNamed(param.Type(), "net/http.Request") && !isCallRequest(param.Type()) {
			continue
		}
		for n := range ast.Preorder(body) {
			if id, ok := n.(*ast.Ident); ok && p.guards(p.TypesInfo.Uses[id]) {
				p.report(id, "guard", "all users share this Guard, which is for one conversation")
			}
		}
	}
}

// guards reports whether a variable of the package is a Guard, or a Client that is made with one.
func (p *program) guards(o types.Object) bool {
	v, ok := o.(*types.Var)
	if !ok || v.Parent() != p.Pkg.Scope() {
		return false
	}
	client, _ := p.values[v].(ast.Expr)
	if client == nil || !isNamed(v.Type(), "retry.Client") {
		return isNamed(v.Type(), "retry.Guard")
	}
	guard := member(literal(member(literal(client), "Policy")), "Guard")
	return guard != nil && !p.TypesInfo.Types[guard].IsNil()
}
