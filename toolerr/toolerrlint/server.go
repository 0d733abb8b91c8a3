package toolerrlint

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// checkMiddleware: the first argument of AddReceivingMiddleware is the outermost; sending middleware sees no results.
func checkMiddleware(p *program, call *ast.CallExpr) {
	name := p.callee(call)
	for i, arg := range call.Args {
		switch {
		case p.callee(arg) != "result.Middleware":
		case name == "mcp.Server.AddSendingMiddleware":
			p.report(call, "sending", "result.Middleware does nothing as sending middleware",
				replace(call.Fun.(*ast.SelectorExpr).Sel, "AddReceivingMiddleware"))
		case name == "mcp.Server.AddReceivingMiddleware" && i > 0 && !p.isOurs(call.Args[0]):
			p.report(arg, "outermost", "the errors of the middleware before result.Middleware are sent raw")
		}
	}
}

// isOurs reports whether e calls a function of this module.
func (p *program) isOurs(e ast.Expr) bool {
	name := p.callee(e)
	return strings.HasPrefix(name, "result.") || strings.HasPrefix(name, "result/")
}

// checkLast: the last AddReceivingMiddleware on a server adds the outermost middleware.
func checkLast(p *program, block *ast.BlockStmt) {
	installed := map[types.Object]bool{}
	for _, s := range block.List {
		switch s := s.(type) {
		case *ast.AssignStmt: // of a server of this package
			if call, ok := s.Rhs[0].(*ast.CallExpr); ok && isNamed(p.TypesInfo.TypeOf(s.Lhs[0]), "mcp.Server") {
				installed[p.object(s.Lhs[0])] = p.callsAny(p.bodyOf(call.Fun), "result.Middleware")
			}
		case *ast.ExprStmt:
			call, ok := ast.Unparen(s.X).(*ast.CallExpr)
			if !ok || p.callee(call) != "mcp.Server.AddReceivingMiddleware" || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				continue
			}
			server := p.object(call.Fun.(*ast.SelectorExpr).X)
			if p.callee(call.Args[0]) == "result.Middleware" {
				installed[server] = server != nil
			} else if installed[server] && !slices.ContainsFunc(call.Args, p.isOurs) {
				p.report(call, "outermost", "the errors of middleware that is added after result.Middleware are sent raw")
			}
		}
	}
}

// checkMissing: the errors of tools in a program without result.Middleware are plain text. A server that is given to
// another package may get its middleware there.
func checkMissing(p *program, call *ast.CallExpr) {
	by, _, handler := p.addTool(call)
	if by != "mcp" || p.Pkg.Name() != "main" || !p.callsAny(p.bodyOf(handler), "toolerr.") {
		return
	}
	made := false
	for _, file := range p.Files {
		for n := range ast.Preorder(file) {
			var given []ast.Expr // to what may add the middleware
			switch n := n.(type) {
			case *ast.Ident:
				if f, ok := p.TypesInfo.Uses[n].(*types.Func); ok && strings.HasSuffix(f.Name(), "Middleware") {
					return
				}
			case *ast.KeyValueExpr:
				given = []ast.Expr{n.Value}
			case *ast.CallExpr:
				made = made || p.callee(n) == "mcp.NewServer"
				if f := p.function(n); f == nil || f.Pkg() != p.Pkg && !ours(f) && short(f.Pkg()) != "mcp" {
					given = n.Args
				}
			}
			if slices.ContainsFunc(given, func(e ast.Expr) bool { return isNamed(p.TypesInfo.TypeOf(e), "mcp.Server") }) {
				return
			}
		}
	}
	if made {
		p.report(call, "missing", "errors are sent as plain text: add result.Middleware to the server")
	}
}

// checkReturned: the text of an error that a tool returns is not sent, so that its class is all that it tells.
func checkReturned(p *program, n ast.Node) {
	sig, body := p.signature(n)
	if !p.reached[n] || body == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		if ok && len(ret.Results) > 0 && len(ret.Results) == sig.Results().Len() {
			call, _ := ast.Unparen(ret.Results[len(ret.Results)-1]).(*ast.CallExpr)
			switch name := p.callee(call); {
			case name == "fmt.Errorf" && !call.Ellipsis.IsValid() && checkFormat(p, call):
			case p.plain && isHandler(sig) &&
				(name == "errors.New" || name == "fmt.Errorf" && !slices.ContainsFunc(call.Args[1:], p.isFailure)):
				p.report(call, "bare", "the text is never sent: return an error of package toolerr")
			}
		}
		_, nested := n.(*ast.FuncLit)
		return !nested
	})
}

// reach marks a function, and those of this package that it calls.
func (p *program) reach(n ast.Node) {
	_, body := p.signature(n)
	if body == nil || p.reached[n] {
		return
	}
	p.reached[n] = true
	for call := range p.calls(body) {
		p.reach(p.declared(call.Fun))
	}
}

// isHandler reports whether a function is a tool's handler, typed or raw.
func isHandler(sig *types.Signature) bool {
	params, results := sig.Params(), sig.Results()
	return params.Len() == results.Len() && (params.Len() == 2 || params.Len() == 3) &&
		isCallRequest(params.At(1).Type()) &&
		isNamed(results.At(0).Type(), "mcp.CallToolResult") && isError(results.At(results.Len()-1).Type())
}

// isCallRequest reports whether t is *mcp.CallToolRequest, an alias of an instance.
func isCallRequest(t types.Type) bool {
	return isNamed(t, "mcp.ServerRequest") && isNamed(namedOf(t).TypeArgs().At(0), "mcp.CallToolParamsRaw")
}

func (p *program) isFailure(e ast.Expr) bool {
	return types.Implements(p.TypesInfo.TypeOf(e), types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

var verb = regexp.MustCompile(`%%|%[^a-zA-Z%]*[a-zA-Z]`)

// checkFormat reports an error that is printed with %v or %s. A second one would be a second class.
func checkFormat(p *program, call *ast.CallExpr) bool {
	format, ok := ast.Unparen(call.Args[0]).(*ast.BasicLit)
	if !ok || strings.Contains(format.Value, "%w") {
		return false
	}
	i := 0
	for _, at := range verb.FindAllStringIndex(format.Value, -1) {
		text := format.Value[at[0]:at[1]]
		if text == "%%" {
			continue
		}
		if i++; i >= len(call.Args) || strings.ContainsAny(text, "*[") {
			return false
		}
		if (text == "%v" || text == "%s") && p.isFailure(call.Args[i]) {
			p.report(call.Args[i], "verb", "the error's class is lost: use %w", analysis.TextEdit{
				Pos: format.Pos() + token.Pos(at[0]), End: format.Pos() + token.Pos(at[1]), NewText: []byte("%w"),
			})
			return true
		}
	}
	return false
}
