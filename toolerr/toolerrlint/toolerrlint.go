// Package toolerrlint finds mistakes in programs that use toolerr-go and that compile, run and log nothing. Each
// finding has a category, the name of its check; README.md lists the checks.
package toolerrlint

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

const (
	module = "github.com/mcp-toolerr/toolerr-go/"
	sdk    = "github.com/modelcontextprotocol/go-sdk/mcp"
	page   = "https://github.com/mcp-toolerr/toolerr-go/blob/main/toolerr/toolerrlint/README.md"
)

// Analyzer runs every check. It looks at types alone, never at the names that a program chooses.
var Analyzer = &analysis.Analyzer{
	Name:     "toolerrlint",
	Doc:      "report mistakes in the use of toolerr-go that no compiler and no log shows",
	URL:      page,
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	nodes := []ast.Node{(*ast.CallExpr)(nil), (*ast.ExprStmt)(nil), (*ast.KeyValueExpr)(nil), (*ast.BasicLit)(nil),
		(*ast.ReturnStmt)(nil), (*ast.BinaryExpr)(nil), (*ast.BlockStmt)(nil), (*ast.Ident)(nil), (*ast.FuncDecl)(nil),
		(*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)}
	in.WithStack(nodes, func(n ast.Node, push bool, stack []ast.Node) bool {
		if !push {
			return true
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			checkMiddleware(pass, n)
			checkData(pass, n)
			checkPrecondition(pass, n)
			checkRetried(pass, n)
			checkArguments(pass, n)
			checkStore(pass, n)
			checkKey(pass, n)
			checkReadOnly(pass, n)
			checkMissing(pass, n)
			checkWrap(pass, n)
		case *ast.ExprStmt:
			checkDropped(pass, n)
		case *ast.KeyValueExpr:
			checkMember(pass, n)
		case *ast.BasicLit:
			checkWord(pass, n)
		case *ast.ReturnStmt:
			checkNil(pass, n, stack)
			checkReturned(pass, n, stack)
		case *ast.BinaryExpr:
			checkText(pass, n)
		case *ast.BlockStmt:
			checkLast(pass, n)
		case *ast.Ident:
			checkGuard(pass, n, stack)
		case *ast.FuncDecl:
			if n.Body != nil {
				checkReplay(pass, n.Body)
			}
		case *ast.ForStmt:
			checkLoop(pass, n, n.Body)
		case *ast.RangeStmt:
			if t, ok := pass.TypesInfo.TypeOf(n.X).Underlying().(*types.Basic); ok && t.Info()&types.IsInteger != 0 {
				checkLoop(pass, n, n.Body)
			}
		}
		return true
	})
	return nil, nil
}

// callee returns the package path and the name, with its receiver's type, of the function that a call calls.
func callee(pass *analysis.Pass, e ast.Expr) (path, name string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return "", ""
	}
	fn, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return "", ""
	}
	name = fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			name = named.Obj().Name() + "." + name
		}
	}
	return fn.Pkg().Path(), name
}

// is reports whether e calls the function name of a package of this module.
func is(pass *analysis.Pass, e ast.Expr, pkg, name string) bool {
	path, got := callee(pass, e)
	return path == module+pkg && got == name
}

// isNamed reports whether t is the type path.name.
func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

func report(pass *analysis.Pass, at ast.Node, category, message string, edits ...analysis.TextEdit) {
	d := analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Category: category, URL: page + "#" + category,
		Message: category + ": " + message}
	if len(edits) > 0 {
		d.SuggestedFixes = []analysis.SuggestedFix{{Message: "Replace it", TextEdits: edits}}
	}
	pass.Report(d)
}

func replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}
