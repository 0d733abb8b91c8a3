package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// alias is the name of package switches in changed files.
const alias = "mutant__"

// A binary states how to replace an operator: the function to call, and the mutant's operator.
type binary struct {
	function string
	other    token.Token
}

var operators = map[token.Token]binary{
	token.EQL: {"Not", token.NEQ}, token.NEQ: {"Not", token.EQL},
	token.LSS: {"Less", token.LEQ}, token.LEQ: {"LessEqual", token.LSS}, token.GTR: {"Greater", token.GEQ},
	token.GEQ:  {"GreaterEqual", token.GTR},
	token.LAND: {"And", token.LOR}, token.LOR: {"Or", token.LAND},
	token.ADD: {"Plus", token.SUB}, token.SUB: {"Minus", token.ADD},
}

// An edit replaces a part of a file with text.
type edit struct {
	from, to int
	text     string
	order    int // among those at one place: closing ones come first, the innermost first
}

// A file collects the mutants of one file.
type file struct {
	set     *token.FileSet
	info    *types.Info
	pkg     *types.Package
	path    string
	code    []byte
	imports map[string]string // the names of the packages by path
	edits   []edit
	mutants []*mutant
	first   int // the number of the first
}

// find adds the mutants of the file's functions.
func (f *file) find(tree *ast.File) {
	for _, spec := range tree.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if name, ok := f.info.Implicits[spec].(*types.PkgName); ok {
			f.imports[path] = name.Name()
		} else if spec.Name != nil {
			f.imports[path] = spec.Name.Name
		}
	}
	for _, declared := range tree.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok && function.Body != nil {
			ast.Walk(visitor{f, nil}, function.Body)
		}
	}
}

// A visitor also knows the parent of the node that it visits.
type visitor struct {
	*file
	parent ast.Node
}

// Visit adds the mutants of a node.
func (v visitor) Visit(n ast.Node) ast.Visitor { //nolint:gocognit // a case for each kind of node
	switch n := n.(type) {
	case *ast.IfStmt:
		v.negate(n.Cond)
	case *ast.UnaryExpr:
		if n.Op == token.SUB && v.info.Types[n].Value != nil { // the number has another type than the whole
			v.add(n, n, "+1")
			v.number(n)
			return nil
		}
	case *ast.BinaryExpr:
		if v.isShifted(n) {
			v.add(n, n, "+1")
			v.number(n)
			return nil
		}
		v.binary(n)
	case *ast.BasicLit:
		v.literal(n)
	case *ast.Ident:
		if c, ok := v.info.Uses[n].(*types.Const); ok && c.Parent() == types.Universe &&
			(n.Name == "true" || n.Name == "false") {
			v.add(n, n, strconv.FormatBool(n.Name == "false"))
			v.wrap(n, "Not")
		}
	case *ast.ExprStmt:
		v.statement(n)
	case *ast.IncDecStmt:
		v.statement(n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			v.statement(n)
		}
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			return nil
		}
	case *ast.ArrayType, *ast.Field:
		return nil // a constant length, a type, or a tag
	case *ast.KeyValueExpr:
		if in, ok := v.parent.(*ast.CompositeLit); ok {
			if _, ok := v.info.TypeOf(in).Underlying().(*types.Map); !ok {
				ast.Walk(visitor{v.file, n}, n.Value) // a key is a constant, or the name of a field
				return nil
			}
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "ParseFloat" {
			ast.Walk(visitor{v.file, n}, n.Args[0]) // any size but 32 is 64
			return nil
		}
		if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "make" && len(n.Args) > 1 {
			if _, ok := v.info.TypeOf(n).Underlying().(*types.Map); ok || len(n.Args) > 2 {
				for _, a := range n.Args[:len(n.Args)-1] { // what is left is a capacity, which nobody can observe
					ast.Walk(visitor{v.file, n}, a)
				}
				return nil
			}
		}
	}
	return visitor{v.file, n}
}

// add adds a mutant that replaces the code between two nodes.
func (v visitor) add(from, to ast.Node, text string) {
	start, end := v.set.Position(from.Pos()), v.set.Position(to.End())
	v.mutants = append(v.mutants, &mutant{
		number: v.first + len(v.mutants), file: v.path, line: start.Line,
		old: string(v.code[start.Offset:end.Offset]), new: text,
	})
}

// put adds text before and after a node, for the mutant that was added last.
func (v visitor) put(n ast.Node, before, after string) {
	number := v.mutants[len(v.mutants)-1].number
	from, to := v.set.Position(n.Pos()).Offset, v.set.Position(n.End()).Offset
	v.edits = append(v.edits, edit{from, from, before, number}, edit{to, to, after, -number})
}

// call returns the start of a call, for the mutant that was added last.
func (v visitor) call(function string) string {
	return fmt.Sprintf("%s.%s(%d, ", alias, function, v.mutants[len(v.mutants)-1].number)
}

func (v visitor) wrap(n ast.Node, function string) { v.put(n, v.call(function), ")") }

func (v visitor) negate(n ast.Expr) {
	v.add(n, n, "!(...)")
	v.wrap(n, "Not")
}

func (v visitor) binary(n *ast.BinaryExpr) {
	other, ok := operators[n.Op]
	kind, basic := v.info.TypeOf(n).Underlying().(*types.Basic)
	if !ok || (n.Op == token.ADD || n.Op == token.SUB) && (!basic || kind.Info()&types.IsString != 0) {
		return
	}
	function := other.function
	if n.Op == token.ADD || n.Op == token.SUB {
		name, ok := v.typeOf(n)
		if !ok {
			return
		}
		function += "[" + name + "]"
	}
	v.add(n, n, other.other.String())
	operator := v.set.Position(n.OpPos).Offset
	replace := func(text, end string) {
		v.put(n, v.call(function), end+")")
		v.edits = append(v.edits, edit{operator, operator + len(n.Op.String()), text, 0})
	}
	switch n.Op { //nolint:exhaustive // the operators that are replaced
	case token.EQL, token.NEQ:
		v.wrap(n, function)
	case token.LAND, token.LOR:
		replace(", func() bool { return (", ") }")
	default:
		replace(",", "")
	}
}

// isShifted reports whether an expression is a constant with a shift: its parts may have other
// types.
func (v visitor) isShifted(n ast.Expr) bool {
	b, ok := n.(*ast.BinaryExpr)
	return ok && v.info.Types[n].Value != nil && (b.Op == token.SHL || v.isShifted(b.X) || v.isShifted(b.Y))
}

// number wraps a number in a call, for the mutant that was added last.
func (v visitor) number(n ast.Expr) {
	if name, ok := v.typeOf(n); ok {
		v.wrap(n, "Number["+name+"]")
	}
}

func (v visitor) literal(n *ast.BasicLit) {
	name, ok := v.typeOf(n)
	switch {
	case !ok:
	case n.Kind == token.INT:
		if number, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			v.add(n, n, strconv.FormatInt(number+1, 10))
			v.number(n)
		}
	case n.Kind == token.STRING && len(n.Value) > 2:
		v.add(n, n, `""`)
		v.wrap(n, "Text["+name+"]")
	}
}

// typeOf returns the name of an expression's type. It returns false if the file cannot name it.
func (v visitor) typeOf(n ast.Expr) (string, bool) {
	if parameter, ok := v.info.TypeOf(n).(*types.TypeParam); ok {
		return parameter.Obj().Name(), true
	}
	kind := types.Default(v.info.TypeOf(n))
	if _, basic := kind.Underlying().(*types.Basic); !basic {
		kind = types.Default(types.Typ[types.UntypedInt]) // an interface
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			kind = types.Typ[types.String]
		}
	}
	known := true
	name := types.TypeString(kind, func(pkg *types.Package) string {
		if pkg == v.pkg {
			return ""
		}
		name, ok := v.imports[pkg.Path()]
		known = known && ok
		return name
	})
	return name, known
}

func (v visitor) statement(n ast.Stmt) {
	switch parent := v.parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.LabeledStmt:
	case *ast.CommClause:
		if parent.Comm == n {
			return
		}
	case *ast.TypeSwitchStmt:
		if parent.Assign == n {
			return
		}
	default: // before or after a condition
		v.add(n, n, "")
		v.put(n, v.call("Do")+"func() {", "})")
		return
	}
	if s, ok := n.(*ast.ExprStmt); ok {
		if call, ok := s.X.(*ast.CallExpr); ok {
			if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" {
				return // perhaps the end of a function
			}
		}
	}
	v.add(n, n, "")
	v.put(n, fmt.Sprintf("if !%s.On(%d) { ", alias, v.mutants[len(v.mutants)-1].number), " }")
}

// changed returns the text of the file with all its mutants.
func (f *file) changed(tree *ast.File) []byte {
	end := f.set.Position(tree.Name.End()).Offset
	f.edits = append(f.edits, edit{end, end, "; import " + alias + " " + strconv.Quote(switched), 0})
	slices.SortStableFunc(f.edits,
		func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.order, b.order)) })
	var b strings.Builder
	at := 0
	for _, e := range f.edits {
		b.Write(f.code[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(f.code[at:])
	return []byte(b.String())
}
