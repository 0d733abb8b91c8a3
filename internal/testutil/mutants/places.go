package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// swapped maps operators to their replacements.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

// negated marks a replacement that negates the original.
const negated = "!"

// collect returns the mutants of the packages.
func collect(ctx context.Context, packages []string) (all []*mutant, err error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-json=Dir,ImportPath,GoFiles"}, packages...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct {
			Dir        string   `json:"Dir"`
			ImportPath string   `json:"ImportPath"`
			GoFiles    []string `json:"GoFiles"`
		}
		if err := list.Decode(&pkg); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		for _, name := range pkg.GoFiles {
			list, err := placesIn(filepath.Join(pkg.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, m := range list {
				m.pkg, m.tests = pkg.ImportPath, testsOf(pkg.Dir)
			}
			all = append(all, list...)
		}
	}
}

// testsOf returns the nearest folder with tests, from dir upwards, or the folder of package toolerr
// if there is none up to the module's root.
func testsOf(dir string) string {
	for {
		if tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go")); len(tests) > 0 {
			return dir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return filepath.Join(dir, "toolerr")
		}
		dir = filepath.Dir(dir)
	}
}

// placesIn returns the mutants of a file.
func placesIn(path string) (list []*mutant, err error) {
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, code, 0)
	if err != nil {
		return nil, err
	}
	replace := func(from, to token.Pos, text string) {
		at, end := set.Position(from), set.Position(to)
		old := string(code[at.Offset:end.Offset])
		if text == negated {
			text = "!(" + old + ")"
		}
		list = append(list, &mutant{file: path, from: at.Offset, to: end.Offset, line: at.Line, old: old, new: text})
	}
	for _, declared := range file.Decls {
		if f, ok := declared.(*ast.FuncDecl); ok && f.Body != nil {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				mutate(n, replace)
				return true
			})
		}
	}
	return list, nil
}

// mutate calls replace for each mutation of a node.
func mutate(n ast.Node, replace func(from, to token.Pos, text string)) {
	switch n := n.(type) {
	case *ast.IfStmt:
		replace(n.Cond.Pos(), n.Cond.End(), negated)
	case *ast.BinaryExpr:
		if other, ok := swapped[n.Op]; ok {
			replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
		}
	case *ast.BasicLit:
		switch n.Kind { //nolint:exhaustive // the others are rare
		case token.INT:
			if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
				replace(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
			}
		case token.STRING:
			if len(n.Value) > 2 {
				replace(n.Pos(), n.End(), `""`)
			}
		}
	case *ast.Ident:
		if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			replace(n.Pos(), n.End(), other)
		}
	case *ast.ExprStmt, *ast.IncDecStmt:
		replace(n.Pos(), n.End(), "")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			replace(n.Pos(), n.End(), "")
		}
	}
}
