package toolerrlint

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checkLoop: a call that retries by itself, repeated with the same parameters until it succeeds.
func checkLoop(p *program, loop ast.Node) {
	var body *ast.BlockStmt
	switch loop := loop.(type) {
	case *ast.ForStmt:
		body = loop.Body
	case *ast.RangeStmt:
		if t, ok := p.TypesInfo.TypeOf(loop.X).Underlying().(*types.Basic); ok && t.Info()&types.IsInteger != 0 {
			body = loop.Body
		}
	}
	if body == nil {
		return
	}
	for _, s := range body.List {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 2 {
			continue
		}
		name := p.callee(assign.Rhs[0])
		if name != "retry.Client.CallTool" && name != "retry.CallTool" {
			continue
		}
		args := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr).Args
		if untilSuccess(body, types.ExprString(assign.Lhs[0])) && p.unchanged(loop, args[len(args)-1]) {
			p.report(assign.Rhs[0], "loop", "the call is retried already: attempts multiply")
		}
	}
}

// untilSuccess reports whether the body leaves the loop if, and only if, out has no error.
func untilSuccess(body *ast.BlockStmt, out string) bool {
	success, leaves := 0, 0
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			leaves++
		case *ast.IfStmt:
			if types.ExprString(n.Cond) != out+".Err == nil" || len(n.Body.List) == 0 {
				continue
			}
			last := n.Body.List[len(n.Body.List)-1]
			branch, isBranch := last.(*ast.BranchStmt)
			if _, isReturn := last.(*ast.ReturnStmt); isReturn || isBranch && branch.Tok == token.BREAK {
				success++
			}
		}
	}
	return success == 1 && leaves == 1
}

// unchanged reports whether the loop neither sets nor passes on what the parameters are made of.
func (p *program) unchanged(loop ast.Node, params ast.Expr) bool {
	same, vars := true, map[types.Object]bool{}
	for n := range ast.Preorder(params) {
		if _, ok := n.(*ast.CallExpr); ok {
			return false
		}
		id, _ := n.(*ast.Ident)
		if v, ok := p.TypesInfo.Uses[id].(*types.Var); ok && !v.IsField() {
			vars[v] = true
			same = same && (v.Pos() < loop.Pos() || loop.End() <= v.Pos())
		}
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		same = same && (n == ast.Node(params) || !vars[p.TypesInfo.Uses[id]])
		return n != ast.Node(params)
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
