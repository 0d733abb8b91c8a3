package testutil_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// source matches the origin of a number in a comment.
var source = regexp.MustCompile(`\b(?:Chosen|Measured|chosen|measured|RFC|SDK|specification|Stripe's|UUID|AWS)\b`)

// withoutSource returns the tuned constants whose comments do not state a source.
func withoutSource(files []*ast.File) (names []string) {
	for _, file := range files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST || strings.HasSuffix(file.Name.Name, "_test") {
				continue
			}
			for _, spec := range group.Specs {
				s, ok := spec.(*ast.ValueSpec)
				if ok && isNumber(s) && !source.MatchString(group.Doc.Text()+s.Doc.Text()+s.Comment.Text()) {
					names = append(names, file.Name.Name+"."+s.Names[0].Name)
				}
			}
		}
	}
	return names
}

func isNumber(s *ast.ValueSpec) bool {
	number, counted := false, false
	for _, value := range s.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				number = number || n.Kind == token.INT || n.Kind == token.FLOAT
			case *ast.SelectorExpr: // time.Second
				number = true
			case *ast.Ident:
				counted = counted || n.Name == "iota"
			}
			return true
		})
	}
	return number && !counted
}
