// Package toolerrlint finds mistakes in programs that use toolerr-go and that compile and run. Each
// finding has a category, the name of its check; README.md lists the checks.
package toolerrlint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

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

// checks are called with each node of their kind.
var checks = []func(*program, ast.Node){
	on(checkMiddleware), on(checkLast), on(checkMissing), on(checkReturned), // the server
	on(checkStore), on(checkKey), on(checkReadOnly), on(checkUnannotated), on(checkReplay), // its tools
	on(checkData), on(checkDropped), // their failures
	on(checkWord), on(checkCompared), on(checkCases), on(checkArguments), on(checkMember),
	on(checkLoop), on(checkGuard), // the agent
}

func on[N ast.Node](check func(*program, N)) func(*program, ast.Node) {
	return func(p *program, n ast.Node) {
		if n, ok := n.(N); ok {
			check(p, n)
		}
	}
}

// A program is the package that is looked at.
type program struct {
	*analysis.Pass
	// values holds the declarations of functions, and the values that the package's variables are made with.
	values map[types.Object]ast.Node
	// plain reports whether every server of the package certainly has result.Middleware(nil).
	plain bool
	// reached holds the handlers of tools, and the functions of the package that they call.
	reached map[ast.Node]bool
}

func run(pass *analysis.Pass) (any, error) {
	p := &program{Pass: pass, values: map[types.Object]ast.Node{}, reached: map[ast.Node]bool{}}
	if !p.imports("") {
		return nil, nil
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				p.values[p.TypesInfo.Defs[fn.Name]] = fn
			}
		}
	}
	for _, init := range p.TypesInfo.InitOrder {
		p.values[init.Lhs[0]] = init.Rhs
	}
	middleware, servers := 0, 0
	for _, file := range pass.Files {
		for call, name := range p.calls(file) {
			switch {
			case name == "mcp.NewServer":
				servers++
			case name != "result.Middleware":
			case p.TypesInfo.Types[call.Args[0]].IsNil():
				middleware++
			default:
				servers = 2
			}
		}
	}
	p.plain = middleware > 0 && servers < 2
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for n := range in.PreorderSeq((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if sig, _ := p.signature(n); isHandler(sig) {
			p.reach(n)
		}
	}
	for n := range in.PreorderSeq() {
		for _, check := range checks {
			check(p, n)
		}
	}
	checkFlow(p)
	return nil, nil
}

// imports reports whether the package imports the package of this module, or any if pkg is empty.
func (p *program) imports(pkg string) bool {
	return slices.ContainsFunc(p.Pkg.Imports(), func(i *types.Package) bool {
		return i.Path() == module+pkg || pkg == "" && strings.HasPrefix(i.Path(), module)
	})
}

func (p *program) report(at ast.Node, category, message string, edits ...analysis.TextEdit) {
	d := analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(), Category: category, URL: page + "#" + category, Message: category + ": " + message,
	}
	if len(edits) > 0 {
		d.SuggestedFixes = []analysis.SuggestedFix{{Message: "Replace it", TextEdits: edits}}
	}
	p.Report(d)
}

func replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

// callee returns the name of the function that e calls.
func (p *program) callee(e ast.Expr) string { return nameOf(p.function(e)) }

// function returns the function that e calls, else nil.
func (p *program) function(e ast.Expr) *types.Func {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || call == nil {
		return nil
	}
	fn, _ := typeutil.Callee(p.TypesInfo, call).(*types.Func)
	return fn
}

// nameOf returns "path.Name" or "path.Type.Name". The paths of this module and of the SDK are shortened, to
// "toolerr", "result/idempotency" or "mcp".
func nameOf(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		if named := namedOf(recv.Type()); named != nil {
			name = named.Obj().Name() + "." + name
		}
	}
	return short(fn.Pkg()) + "." + name
}

func short(pkg *types.Package) string {
	if pkg.Path() == sdk {
		return "mcp"
	}
	return strings.TrimPrefix(pkg.Path(), module)
}

// ours reports whether a type or a function is of this module.
func ours(o types.Object) bool {
	return o != nil && o.Pkg() != nil && strings.HasPrefix(o.Pkg().Path(), module)
}

// namedOf returns the named type that t is, or points to.
func namedOf(t types.Type) *types.Named {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// isNamed reports whether t is the type, or points to it. Its path is shortened as for callee.
func isNamed(t types.Type, name string) bool {
	named := namedOf(t)
	return named != nil && named.Obj().Pkg() != nil && short(named.Obj().Pkg())+"."+named.Obj().Name() == name
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// text returns a constant text.
func (p *program) text(e ast.Expr) string {
	if v := p.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

func (p *program) object(e ast.Expr) types.Object {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return p.TypesInfo.ObjectOf(id)
	}
	return nil
}

// calls are the calls inside of n, with the names of the functions.
func (p *program) calls(n ast.Node) iter.Seq2[*ast.CallExpr, string] {
	return func(yield func(*ast.CallExpr, string) bool) {
		for n := range ast.Preorder(n) {
			if call, ok := n.(*ast.CallExpr); ok && !yield(call, p.callee(call)) {
				return
			}
		}
	}
}

// declared returns the literal or the declaration, in this package, of a function.
func (p *program) declared(e ast.Expr) ast.Node {
	switch fn := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return fn
	case *ast.Ident:
		return p.values[p.TypesInfo.Uses[fn]]
	case *ast.SelectorExpr:
		return p.values[p.TypesInfo.Uses[fn.Sel]]
	}
	return nil
}

// callsAny reports whether a body calls a function whose name begins with prefix.
func (p *program) callsAny(body *ast.BlockStmt, prefix string) bool {
	if body != nil {
		for _, name := range p.calls(body) {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

// bodyOf returns the body of a function that is declared in this package, else nil.
func (p *program) bodyOf(e ast.Expr) *ast.BlockStmt {
	_, body := p.signature(p.declared(e))
	return body
}

// signature returns the signature of a function's declaration or literal, else nil, and its body.
func (p *program) signature(n ast.Node) (*types.Signature, *ast.BlockStmt) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return p.TypesInfo.Defs[n.Name].Type().(*types.Signature), n.Body
	case *ast.FuncLit:
		return p.TypesInfo.TypeOf(n).(*types.Signature), n.Body
	}
	return nil, nil
}

// literal returns the composite literal that e is, or is the address of.
func literal(e ast.Expr) *ast.CompositeLit {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, _ := ast.Unparen(e).(*ast.CompositeLit)
	return lit
}

// member returns the value of a member of a struct's literal.
func member(lit *ast.CompositeLit, name string) ast.Expr {
	if lit == nil {
		return nil
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}
