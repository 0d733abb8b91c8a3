package testutil_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumentation checks that every exported name and field has a comment, that every
// function and every type with methods has an example with checked output, that every
// example is a program of its own, and that every tuned constant states its source.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"toolerr", "toolerr/toolerrlint", "result", "result/idempotency", "result/idempotency/sqlstore",
		"result/idempotency/redisstore", "result/mcpotel", "result/resulttest", "result/resulttest/faults",
		"result/servertest", "retry", "retry/handoff",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := token.NewFileSet()
			var files []*ast.File
			for _, s := range sources(t, func(s source) bool { return s.dir == name && s.file != nil }) {
				file, err := parser.ParseFile(set, s.name, s.text, parser.ParseComments) // not s.file: go/doc edits it
				require.NoError(t, err)
				files = append(files, file)
			}
			assert.Empty(t, withoutSource(files), "constants that do not say where their value is from")
			pkg, err := doc.NewFromFiles(set, files, name)
			require.NoError(t, err)
			assert.NotEmpty(t, pkg.Examples, "no example of the package as a whole")
			checkValues(t, pkg.Consts, pkg.Vars)
			checkFuncs(t, "", pkg.Funcs, true)
			for _, example := range doc.Examples(files...) {
				assert.True(t, example.Output != "" || example.EmptyOutput, "the output of Example%s is not checked", example.Name)
				assert.NotNil(t, example.Play, "Example%s needs names from other files", example.Name)
			}
			for _, typ := range pkg.Types {
				checkType(t, typ)
			}
		})
	}
}

func checkType(t *testing.T, typ *doc.Type) {
	t.Helper()
	assert.NotEmpty(t, typ.Doc, typ.Name)
	checkValues(t, typ.Consts, typ.Vars)
	checkFuncs(t, "", typ.Funcs, true)
	checkFuncs(t, typ.Name+".", typ.Methods, false)
	shown := len(typ.Examples) > 0 ||
		!slices.ContainsFunc(typ.Methods, func(m *doc.Func) bool { return m.Name != "String" })
	for _, m := range typ.Methods {
		shown = shown || len(m.Examples) > 0
	}
	assert.True(t, shown, "no example of the type %s", typ.Name)
	ast.Inspect(typ.Decl, func(n ast.Node) bool {
		var fields *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			fields = n.Fields
		case *ast.InterfaceType:
			fields = n.Methods
		case *ast.FuncType:
			return false
		default:
			return true
		}
		for _, field := range fields.List {
			if len(field.Names) > 0 {
				assert.NotEmpty(t, field.Doc.Text()+field.Comment.Text(), "%s.%s", typ.Name, field.Names[0].Name)
			}
		}
		return true
	})
}

func checkFuncs(t *testing.T, receiver string, funcs []*doc.Func, example bool) {
	t.Helper()
	for _, f := range funcs {
		assert.NotEmpty(t, f.Doc, receiver+f.Name)
		assert.True(t, !example || len(f.Examples) > 0, "no example of %s", f.Name)
	}
}

func checkValues(t *testing.T, groups ...[]*doc.Value) {
	t.Helper()
	for _, value := range slices.Concat(groups...) {
		for _, spec := range value.Decl.Specs {
			if s, ok := spec.(*ast.ValueSpec); ok && (len(value.Decl.Specs) > 1 || value.Doc == "") {
				assert.NotEmpty(t, s.Doc.Text()+s.Comment.Text(), s.Names[0].Name)
			}
		}
	}
}

// origin matches the origin of a number in a comment.
var origin = regexp.MustCompile(`\b(?:Chosen|Measured|chosen|measured|RFC|SDK|specification|Stripe's|UUID|AWS)\b`)

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
				if ok && isNumber(s) && !origin.MatchString(group.Doc.Text()+s.Doc.Text()+s.Comment.Text()) {
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
