package toolerrlint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// checkData: a failure, sent as a success. A text beside other members may be data.
func checkData(p *program, call *ast.CallExpr) {
	if p.callee(call) != "result.OK" || len(call.Args) != 1 {
		return
	}
	alone := call.Args
	if lit := literal(call.Args[0]); lit != nil {
		if _, ok := p.TypesInfo.TypeOf(lit).Underlying().(*types.Map); !ok {
			return
		}
		alone = nil
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if isError(p.TypesInfo.TypeOf(kv.Value)) {
				p.report(kv.Value, "data", "an error in a map is sent as {}: return the error")
			} else if len(lit.Elts) == 1 {
				alone = []ast.Expr{kv.Value}
			}
		}
	}
	for _, e := range alone {
		inner, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(inner.Args) > 0 {
			continue
		}
		if sel, ok := inner.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Error" && p.isFailure(sel.X) {
			p.report(e, "data", "a failure is sent as data: return the error")
		}
	}
}

// checkDropped: an Error is a value that With... returns changed, and a failure has to be returned.
func checkDropped(p *program, s *ast.ExprStmt) {
	name := p.callee(s.X)
	if strings.HasPrefix(name, "toolerr.") && isNamed(p.TypesInfo.TypeOf(s.X), "toolerr.Error") {
		p.report(s, "dropped", strings.TrimPrefix(name, "toolerr.")+" returns the failure, and it is dropped")
	}
}

// checkWord, checkCompared and checkCases: a text that is not one of the words that are compared and sent.
func checkWord(p *program, lit *ast.BasicLit) { checkSpelling(p, lit, p.TypesInfo.TypeOf(lit), false) }

func checkCompared(p *program, cmp *ast.BinaryExpr) {
	if cmp.Op == token.EQL || cmp.Op == token.NEQ {
		checkText(p, cmp.X, cmp.Y)
		checkText(p, cmp.Y, cmp.X)
	}
}

func checkCases(p *program, s *ast.SwitchStmt) {
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			checkText(p, s.Tag, e)
		}
	}
}

// checkText also looks at string(e.Category) and d.Action.String().
func checkText(p *program, of, with ast.Expr) {
	if call, ok := of.(*ast.CallExpr); ok && len(call.Args) == 1 && p.TypesInfo.Types[call.Fun].IsType() {
		of = call.Args[0]
	} else if ok && strings.HasSuffix(p.callee(call), ".String") {
		of = call.Fun.(*ast.SelectorExpr).X
	}
	if lit, ok := with.(*ast.BasicLit); ok && of != nil {
		checkSpelling(p, lit, p.TypesInfo.TypeOf(of), true)
	}
}

// closed are the types of words that nobody else adds to.
var closed = strings.Fields("toolerr.Effect retry.Reason retry.Action retry.Safety result.Kind")

func checkSpelling(p *program, lit *ast.BasicLit, t types.Type, compared bool) {
	isClosed := slices.ContainsFunc(closed, func(name string) bool { return isNamed(t, name) })
	isCategory := isNamed(t, "toolerr.Category")
	if lit.Kind != token.STRING || !isClosed && !isCategory && !isNamed(t, "toolerr.Code") {
		return
	}
	got, name, scope := p.text(lit), namedOf(t).Obj().Name(), namedOf(t).Obj().Pkg().Scope()
	isWrong, near := isClosed && got != "", ""
	for _, id := range scope.Names() {
		c, ok := scope.Lookup(id).(*types.Const)
		if !ok {
			continue
		}
		word := snake(strings.TrimPrefix(id, name))
		if c.Val().Kind() == constant.String {
			word = constant.StringVal(c.Val())
		}
		switch {
		case isCategory && isNamed(c.Type(), "toolerr.Code"): // which is read as the code
			isWrong = isWrong || word == got
		case !types.Identical(c.Type(), namedOf(t)):
		case word == got:
			return
		case fold(word) == fold(got):
			near = word
		}
	}
	isDirect := types.Identical(p.TypesInfo.TypeOf(lit), t) // and is seen by checkWord too
	if near != "" && isDirect != compared {
		p.report(lit, "word", "no "+name+": write "+strconv.Quote(near), replace(lit, strconv.Quote(near)))
	} else if near == "" && isWrong && compared {
		p.report(lit, "word", "no "+name+" has this text: it never matches")
	}
}

func fold(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}

// snake turns FixInput into fix_input.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// checkArguments and checkMember: a bare number as a duration is in nanoseconds.
func checkArguments(p *program, call *ast.CallExpr) {
	if fn := p.function(call); fn != nil && ours(fn) {
		for _, arg := range call.Args {
			checkDuration(p, arg)
		}
	}
}

func checkMember(p *program, kv *ast.KeyValueExpr) {
	if v, ok := p.object(kv.Key).(*types.Var); ok && v.IsField() && ours(v) {
		checkDuration(p, kv.Value)
	}
}

func checkDuration(p *program, e ast.Expr) {
	if t := p.TypesInfo.Types[e]; t.Value == nil || !isNamed(t.Type, "time.Duration") {
		return
	}
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 { // time.Duration(30)
		e = ast.Unparen(call.Args[0])
	}
	id, _ := e.(*ast.Ident)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	_, isNumber := e.(*ast.BasicLit)
	if id != nil {
		c, ok := p.TypesInfo.Uses[id].(*types.Const)
		isNumber = ok && !isNamed(c.Type(), "time.Duration")
	}
	n, exact := constant.Int64Val(constant.ToInt(p.TypesInfo.Types[e].Value))
	if isNumber && exact && 1 < n && n < 1_000_000 { // less than a millisecond; 1 is the shortest wait
		p.report(e, "duration", "a bare number is in nanoseconds: multiply by time.Second")
	}
}
