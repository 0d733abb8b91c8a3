package toolerrlint

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// checkReturned: the text of an error that a tool returns is not sent, so that its class is all that it tells.
func checkReturned(pass *analysis.Pass, ret *ast.ReturnStmt, stack []ast.Node) {
	if !usesAny(pass) || len(ret.Results) != 3 || !isHandler(pass, stack) {
		return
	}
	call, ok := ast.Unparen(ret.Results[2]).(*ast.CallExpr)
	if !ok {
		return
	}
	path, name := callee(pass, call)
	switch {
	case path == "errors" && name == "New" && plainMiddleware(pass):
		report(pass, call, "bare", "the text is never sent: return an error of package toolerr")
	case path == "fmt" && name == "Errorf" && !call.Ellipsis.IsValid():
		checkFormat(pass, call)
	}
}

var verb = regexp.MustCompile(`%%|%[^a-zA-Z%]*[a-zA-Z]`)

func checkFormat(pass *analysis.Pass, call *ast.CallExpr) {
	format, ok := ast.Unparen(call.Args[0]).(*ast.BasicLit)
	if !ok || strings.Contains(format.Value, "%w") {
		return
	}
	failure := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	i, found := 0, false
	for _, at := range verb.FindAllStringIndex(format.Value, -1) {
		text := format.Value[at[0]:at[1]]
		if text == "%%" {
			continue
		}
		if i++; i >= len(call.Args) || strings.ContainsAny(text, "*[") {
			return
		}
		t := pass.TypesInfo.TypeOf(call.Args[i])
		if !types.Implements(t, failure) {
			continue
		}
		found = true
		if text == "%v" || text == "%s" {
			report(pass, call.Args[i], "verb", "the error's class is lost: use %w", analysis.TextEdit{
				Pos: format.Pos() + token.Pos(at[0]), End: format.Pos() + token.Pos(at[1]), NewText: []byte("%w")})
			return // a second error would be a second class
		}
	}
	if !found && plainMiddleware(pass) {
		report(pass, call, "bare", "the text is never sent: return an error of package toolerr")
	}
}

// isHandler reports whether the innermost function is a tool's handler, by its parameters and results.
func isHandler(pass *analysis.Pass, stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		if sig := signature(pass, stack[i]); sig != nil {
			return sig.Params().Len() == 3 && sig.Results().Len() == 3 && isCallRequest(sig.Params().At(1).Type()) &&
				types.Identical(sig.Results().At(2).Type(), types.Universe.Lookup("error").Type())
		}
	}
	return false
}

// plainMiddleware reports whether the package calls result.Middleware(nil), and with no options.
func plainMiddleware(pass *analysis.Pass) bool {
	plain, options := false, false
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && is(pass, call, "result", "Middleware") {
				isNil := len(call.Args) == 1 && pass.TypesInfo.Types[call.Args[0]].IsNil()
				plain, options = plain || isNil, options || !isNil
			}
			return true
		})
	}
	return plain && !options
}

// checkWrap: Wrap replaces the message that an author has just given.
func checkWrap(pass *analysis.Pass, call *ast.CallExpr) {
	if is(pass, call, "toolerr", "Wrap") && len(call.Args) == 2 && authored(pass, call.Args[0]) {
		report(pass, call.Args[0], "wrap", "Wrap replaces this error's message: return the error itself")
	}
}

// authored reports whether e calls a constructor, other than those that classify an error from elsewhere.
func authored(pass *analysis.Pass, e ast.Expr) bool {
	path, name := callee(pass, e)
	if path != module+"toolerr" || name == "Internal" || strings.HasPrefix(name, "From") {
		return false
	}
	if strings.HasPrefix(name, "Error.With") {
		sel := ast.Unparen(e).(*ast.CallExpr).Fun.(*ast.SelectorExpr)
		return name == "Error.WithMessage" || authored(pass, sel.X)
	}
	p, ok := pass.TypesInfo.TypeOf(e).(*types.Pointer)
	return ok && isNamed(p.Elem(), module+"toolerr", "Error")
}

// checkLoop: a call that retries by itself, repeated with the same parameters until it succeeds.
func checkLoop(pass *analysis.Pass, loop ast.Node, body *ast.BlockStmt) {
	for _, s := range body.List {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || len(assign.Lhs) != 2 {
			continue
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		out := object(pass, assign.Lhs[0])
		if !ok || out == nil || !is(pass, call, "retry", "Client.CallTool") && !is(pass, call, "retry", "CallTool") {
			continue
		}
		if untilSuccess(pass, body, out) && unchanged(pass, loop, call) {
			report(pass, call, "loop", "the call is retried already: attempts multiply")
		}
	}
}

// untilSuccess reports whether the body leaves the loop if, and only if, out has no error.
func untilSuccess(pass *analysis.Pass, body *ast.BlockStmt, out types.Object) bool {
	success := 0
	leaves := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			leaves++
		case *ast.IfStmt:
			cond, ok := n.Cond.(*ast.BinaryExpr)
			if !ok || cond.Op != token.EQL || !pass.TypesInfo.Types[cond.Y].IsNil() || len(n.Body.List) == 0 {
				return true
			}
			sel, ok := cond.X.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Err" || object(pass, sel.X) != out {
				return true
			}
			switch s := n.Body.List[len(n.Body.List)-1].(type) {
			case *ast.ReturnStmt:
				success++
			case *ast.BranchStmt:
				if s.Tok == token.BREAK {
					success++
				}
			}
		}
		return true
	})
	return success == 1 && leaves == 1
}

// unchanged reports whether the loop neither sets nor passes on what the parameters are made of.
func unchanged(pass *analysis.Pass, loop ast.Node, call *ast.CallExpr) bool {
	params := map[types.Object]bool{}
	ast.Inspect(call.Args[len(call.Args)-1], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := pass.TypesInfo.Uses[id].(*types.Var); ok && !v.IsField() {
				params[v] = true
			}
		} else if _, ok := n.(*ast.CallExpr); ok {
			params[nil] = true
		}
		return true
	})
	if params[nil] {
		return false
	}
	for v := range params {
		if v.Pos() >= loop.Pos() && v.Pos() < loop.End() {
			return false
		}
	}
	same := true
	ast.Inspect(loop, func(n ast.Node) bool {
		if n == ast.Node(call) {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && params[pass.TypesInfo.Uses[id]] {
			same = false
		}
		return same
	})
	return same
}

// checkText: the text of a word, compared with a text that is no such word.
func checkText(pass *analysis.Pass, cmp *ast.BinaryExpr) {
	if cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return
	}
	for _, side := range [][2]ast.Expr{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		text, isLit := ast.Unparen(side[1]).(*ast.BasicLit)
		call, isCall := ast.Unparen(side[0]).(*ast.CallExpr)
		if !isLit || !isCall {
			continue
		}
		if is(pass, call, "retry", "Action.String") {
			checkAction(pass, call, text)
		} else if len(call.Args) == 1 && pass.TypesInfo.Types[call.Fun].IsType() { // string(e.Category)
			checkSpelling(pass, text, pass.TypesInfo.TypeOf(call.Args[0]))
		}
	}
}

// checkAction: the names of the constants are those of the texts.
func checkAction(pass *analysis.Pass, call *ast.CallExpr, lit *ast.BasicLit) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || lit.Kind != token.STRING {
		return
	}
	action, ok := types.Unalias(pass.TypesInfo.TypeOf(sel.X)).(*types.Named)
	if !ok {
		return
	}
	scope := action.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), action) &&
			strconv.Quote(snake(strings.TrimPrefix(name, "Action"))) == lit.Value {
			return
		}
	}
	report(pass, lit, "word", "no Action has this text: compare with a constant, such as retry.ActionRetry")
}

// snake turns FixInput into fix_input.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
