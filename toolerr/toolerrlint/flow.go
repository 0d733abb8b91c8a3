package toolerrlint

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// checkFlow runs the checks that follow values, on the package's SSA form. Its imports are declarations only.
func checkFlow(p *program) {
	prog := ssa.NewProgram(p.Fset, 0)
	for _, pkg := range p.Pkg.Imports() {
		prog.CreatePackage(pkg, nil, nil, true)
	}
	built := prog.CreatePackage(p.Pkg, p.Files, p.TypesInfo, false)
	built.Build()
	var add func(*ssa.Function)
	add = func(f *ssa.Function) {
		for _, block := range f.Blocks {
			for _, instr := range block.Instrs {
				switch instr := instr.(type) {
				case *ssa.MakeInterface:
					checkNil(p, instr)
				case *ssa.Call:
					checkWrap(p, instr)
				}
			}
		}
		for _, literal := range f.AnonFuncs {
			add(literal)
		}
	}
	add(built.Func("init"))
	for _, file := range p.Files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if f := prog.FuncValue(p.TypesInfo.Defs[fn.Name].(*types.Func)); f != nil {
					add(f)
				}
			}
		}
	}
}

// checkNil: an error that holds a nil *Error is not nil. Below a condition nothing is certain, and nothing is reported.
func checkNil(p *program, conversion *ssa.MakeInterface) {
	v := conversion.X
	if !isNamed(v.Type(), "toolerr.Error") || !isError(conversion.Type()) || conditional(conversion.Block(), v) ||
		!slices.ContainsFunc(origins(v, map[ssa.Value]bool{}), mayBeNil) {
		return
	}
	for _, use := range *conversion.Referrers() {
		switch use.(type) {
		case *ssa.Return, *ssa.Store, *ssa.Phi, *ssa.BinOp:
		default:
			continue
		}
		if isErr(v) {
			at := &ast.Ident{NamePos: v.Pos(), Name: "Err"}
			p.report(at, "nil", "Outcome.Err as an error is never nil: use AsError", replace(at, "AsError()"))
			return
		}
		at := use.Pos()
		if !at.IsValid() {
			at = v.Pos()
		}
		p.report(&ast.Ident{NamePos: at}, "nil",
			"this *Error may be nil, and an error that holds it is not: compare it with nil")
		return
	}
}

// isErr reports whether v is read from Outcome.Err, which is nil on success.
func isErr(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		of, ok := x.X.(*ssa.FieldAddr)
		return ok && isNamed(of.X.Type(), "result.Outcome")
	case *ssa.Field:
		return isNamed(x.X.Type(), "result.Outcome")
	}
	return false
}

// mayBeNil reports whether an origin is nil, or is on success.
func mayBeNil(origin ssa.Value) bool {
	call, ok := origin.(*ssa.Call)
	if !ok {
		return origin != nil
	}
	if called(call) == "toolerr.From" {
		_, isSecond := call.Call.Args[0].(*ssa.Extract) // an error beside a result, which is nil on success
		return isSecond
	}
	return called(call) == "toolerr.FromResponse"
}

// origins returns what an *Error may have been made of: through variables, With... and the functions of the package.
// Nil stands for what is not known.
func origins(v ssa.Value, seen map[ssa.Value]bool) (all []ssa.Value) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		loops := slices.ContainsFunc(x.Block().Preds, func(b *ssa.BasicBlock) bool {
			return reaches(b, b, map[*ssa.BasicBlock]bool{})
		})
		for i, e := range x.Edges {
			if _, ok := e.(*ssa.Const); !ok || !loops { // a loop that sets it may always run
				all = append(all, certain(x.Block().Preds[i], e, seen)...)
			}
		}
		return all
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return returned(call, x.Index, seen)
		}
	case *ssa.Call:
		if refined(x) && called(x) != "toolerr.Error.WithMessage" {
			return origins(x.Call.Args[0], seen)
		}
		return returned(x, 0, seen)
	case *ssa.Const:
		return []ssa.Value{v}
	}
	if isErr(v) {
		return []ssa.Value{v}
	}
	return []ssa.Value{nil}
}

// reaches reports whether a block is executed after another, or after itself.
func reaches(from, to *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	return slices.ContainsFunc(from.Succs, func(next *ssa.BasicBlock) bool {
		isNew := !seen[next]
		seen[next] = true
		return next == to || isNew && reaches(next, to, seen)
	})
}

// returned returns the origins of a call's result.
func returned(call *ssa.Call, i int, seen map[ssa.Value]bool) (all []ssa.Value) {
	f := call.Call.StaticCallee()
	if f == nil || f.Pkg != call.Parent().Pkg || len(f.Blocks) == 0 {
		return []ssa.Value{call}
	}
	for _, block := range f.Blocks {
		ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if c, ok := ret.Results[i].(*ssa.Const); !ok || c.Value != nil || !onNil(block) {
			all = append(all, certain(block, ret.Results[i], seen)...)
		}
	}
	return all
}

// certain returns the origins of a value in a block, less those that may be nil and are looked at before.
func certain(block *ssa.BasicBlock, v ssa.Value, seen map[ssa.Value]bool) []ssa.Value {
	if _, ok := v.(*ssa.Const); !ok && conditional(block, v) {
		return []ssa.Value{nil}
	}
	return origins(v, seen)
}

// refined reports whether a call is of a With... method of Error, which returns nil for nil.
func refined(call *ssa.Call) bool { return strings.HasPrefix(called(call), "toolerr.Error.With") }

// base returns what v is made of: a variable, the result of a call, or nil.
func base(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.Extract:
		return base(x.Tuple)
	case *ssa.UnOp:
		return base(x.X)
	case *ssa.FieldAddr:
		if local, ok := x.X.(*ssa.Alloc); ok {
			return local
		}
		return nil
	case *ssa.Field:
		return x.X
	case *ssa.Call:
		if strings.HasPrefix(called(x), "toolerr.") && len(x.Call.Args) > 0 {
			return base(x.Call.Args[0])
		}
		if f := x.Call.StaticCallee(); f != nil && f.Pkg == x.Parent().Pkg {
			return nil // what it returns depends on conditions before the call
		}
	}
	return v
}

// conditional reports whether a block is reached only under a condition that comes after v is made, other than that
// something is nil.
func conditional(block *ssa.BasicBlock, v ssa.Value) bool {
	var from *ssa.BasicBlock
	if made, ok := base(v).(ssa.Instruction); ok {
		from = made.Block()
	}
	for isNil := range conditions(block, from) {
		if !isNil {
			return true
		}
	}
	return false
}

// onNil reports whether a block is reached only if a parameter is nil.
func onNil(block *ssa.BasicBlock) bool {
	for isNil, of := range conditions(block, nil) {
		if _, ok := of.(*ssa.Parameter); ok && isNil {
			return true
		}
	}
	return false
}

// conditions are those that hold in a block but not in from: whether each says that something is nil, and what.
func conditions(block, from *ssa.BasicBlock) iter.Seq2[bool, ssa.Value] {
	return func(yield func(bool, ssa.Value) bool) {
		for ; block != from && block.Idom() != nil; block = block.Idom() {
			before := block.Idom()
			branch, ok := before.Instrs[len(before.Instrs)-1].(*ssa.If)
			if !ok || len(block.Preds) != 1 {
				continue
			}
			isNil, of := false, ssa.Value(nil)
			if cmp, ok := branch.Cond.(*ssa.BinOp); ok {
				c, isConst := cmp.Y.(*ssa.Const)
				isNil = isConst && c.IsNil() && (cmp.Op == token.EQL) == (before.Succs[0] == block)
				of = cmp.X
			}
			if !yield(isNil, of) {
				return
			}
		}
	}
}

// called returns the name of the function that is called.
func called(call *ssa.Call) string {
	f := call.Call.StaticCallee()
	if f != nil && f.Origin() != nil {
		f = f.Origin()
	}
	if f == nil {
		return ""
	}
	fn, _ := f.Object().(*types.Func)
	return nameOf(fn)
}

// checkWrap: Wrap replaces the message that an author has just given.
func checkWrap(p *program, call *ssa.Call) {
	if called(call) != "toolerr.Wrap" {
		return
	}
	conversion, ok := call.Call.Args[0].(*ssa.MakeInterface)
	if !ok || !isNamed(conversion.X.Type(), "toolerr.Error") {
		return
	}
	for _, origin := range origins(conversion.X, map[ssa.Value]bool{}) {
		made, ok := origin.(*ssa.Call)
		if !ok {
			return
		}
		name, isOurs := strings.CutPrefix(called(made), "toolerr.")
		if !isOurs || name == "Internal" || strings.HasPrefix(name, "From") {
			return
		}
	}
	p.report(&ast.Ident{NamePos: call.Pos()}, "wrap", "Wrap replaces this error's message: return the error itself")
}
