// Mutants makes small mistakes in the core packages, one at a time, and reports those that the
// tests of the package do not notice (or of the package above it, if it has no tests):
//
//	go run ./internal/testutil/mutants -n 100 -seed 7
//
// All mutants are compiled into one test binary per package, each behind a switch, so that a mutant
// takes no longer than the tests. The checkout is not changed: the compiler gets the changed files
// with -overlay. A mutant that no test reaches is not run: it survives. One that hangs counts as
// noticed. A survivor may be equivalent: it changes nothing that anyone can observe.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/mutants/switches"
)

// core lists the packages to change by default: those that make decisions.
const core = "./toolerr ./result ./result/internal/... ./result/idempotency ./retry ./retry/handoff " +
	"./retry/internal/... ./internal/classify/... " +
	"./internal/effect ./internal/hint ./internal/sanitize ./internal/redact ./internal/jsonvalue ./internal/schema " +
	"./internal/attempt ./internal/toolinfo ./internal/nearmiss"

// switched is the import path of the package that contains the switches.
const switched = "github.com/mcp-toolerr/toolerr-go/internal/testutil/mutants/switches"

// A mutant is a change at one place in a file.
type mutant struct {
	number   int
	pkg      string // the import path
	tests    string // the folder whose tests should notice it
	file     string
	line     int
	old, new string
}

func main() {
	n := flag.Int("n", 100, "how many mutants are tested")
	seed := flag.Uint64("seed", 1, "which ones")
	wide := flag.Bool("wide", false, "test survivors also with toolerr, result, idempotency and retry, and say which "+
		"are noticed there")
	skip := flag.String("skip", "", "the tests that are left out, such as slow ones, as for go test")
	packages := flag.String("packages", core, "the packages, as for go list")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *seed, *wide, *skip, strings.Fields(*packages)); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "mutants: %v\n", err)
		os.Exit(1)
	}
}

// run tests n mutants, and prints the survivors.
func run(ctx context.Context, n int, seed uint64, wide bool, skip string, packages []string) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	all, overlay, err := collect(ctx, packages, dir)
	if err != nil {
		return err
	}
	places := len(all)
	dice := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a sample
	dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(n, len(all))]
	slices.SortFunc(all, func(a, b *mutant) int { return a.number - b.number })
	suites := map[string]*suite{}
	notices := func(m *mutant, tests string) (noticed, reached bool, err error) {
		s := suites[tests]
		if s == nil {
			if s, err = build(ctx, tests, overlay, skip, filepath.Join(dir, strconv.Itoa(len(suites)))); err != nil {
				return false, false, err
			}
			suites[tests] = s
		}
		noticed, err = s.notices(ctx, m)
		return noticed, s.reached[m.number], err
	}
	tested, noticed, survivors, elsewhere := map[string]int{}, map[string]int{}, 0, 0
	for _, m := range all {
		ok, reached, err := notices(m, m.tests)
		if err != nil {
			return err
		}
		tested[m.pkg]++
		if ok {
			noticed[m.pkg]++
			continue
		}
		survivors++
		where := ""
		if !reached {
			where = " (not reached)"
		}
		for _, name := range []string{"toolerr", "result", "result/idempotency", "retry"} {
			if !wide {
				break
			}
			if ok, _, err = notices(m, "./"+name); err != nil {
				return err
			} else if ok {
				elsewhere++
				where = " (noticed by " + name + ")"
				break
			}
		}
		fmt.Printf("%s:%d: %s -> %s%s\n", m.file, m.line, m.old, m.new, where)
	}
	for pkg, n := range tested {
		fmt.Printf("%3d of %3d noticed: %s\n", noticed[pkg], n, pkg)
	}
	fmt.Printf("%d of %d places, seed %d: %d noticed, %d by another package, %d not\n", len(all), places, seed,
		len(all)-survivors, elsewhere, survivors-elsewhere)
	return nil
}

// collect returns the mutants of the packages, and the name of an overlay that contains them all.
func collect( //nolint:gocognit // one step after the other
	ctx context.Context, packages []string, dir string,
) (all []*mutant, overlay string, err error) {
	list := exec.CommandContext(ctx, "go",
		append([]string{"list", "-export", "-deps", "-json=Dir,ImportPath,GoFiles,Export,DepOnly"}, packages...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, "", fmt.Errorf("go list: %w", err)
	}
	type listed struct {
		Dir        string   `json:"Dir"`
		ImportPath string   `json:"ImportPath"`
		GoFiles    []string `json:"GoFiles"`
		Export     string   `json:"Export"`
		DepOnly    bool     `json:"DepOnly"`
	}
	exports, named := map[string]string{}, []listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listed
		if err := d.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, "", err
		}
		exports[pkg.ImportPath] = pkg.Export
		if !pkg.DepOnly {
			named = append(named, pkg)
		}
	}
	set := token.NewFileSet()
	known := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	replaced := map[string]string{}
	for _, pkg := range named {
		var trees []*ast.File
		for _, name := range pkg.GoFiles {
			tree, err := parser.ParseFile(set, filepath.Join(pkg.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, "", err
			}
			trees = append(trees, tree)
		}
		info := &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{},
		}
		checked, err := (&types.Config{Importer: known}).Check(pkg.ImportPath, set, trees, info)
		if err != nil {
			return nil, "", err
		}
		for i, tree := range trees {
			f := &file{
				set: set, info: info, pkg: checked, path: filepath.Join(pkg.Dir, pkg.GoFiles[i]),
				imports: map[string]string{}, first: len(all) + 1,
			}
			if f.code, err = os.ReadFile(f.path); err != nil {
				return nil, "", err
			}
			if f.find(tree); len(f.mutants) == 0 {
				continue
			}
			for _, m := range f.mutants {
				m.pkg, m.tests = pkg.ImportPath, testsOf(pkg.Dir)
			}
			all = append(all, f.mutants...)
			replaced[f.path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replaced)))
			if err := os.WriteFile(replaced[f.path], f.changed(tree), 0o600); err != nil {
				return nil, "", err
			}
		}
	}
	if len(all) >= switches.Most {
		return nil, "", errors.New("too many mutants")
	}
	overlay = filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, "", err
	}
	return all, overlay, os.WriteFile(overlay, text, 0o600)
}

// testsOf returns the nearest folder with tests: a package's own, one above it or, if it reaches
// the module's root, toolerr.
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

// A suite runs the tests of a package.
type suite struct {
	dir, binary string
	skip        string // tests that fail with switches, such as those that count allocations
	limit       time.Duration
	reached     map[int]bool
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// build compiles the tests of a folder, and runs them without a mutant.
func build(ctx context.Context, dir, overlay, skip, binary string) (*suite, error) {
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, dir).
		CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	s := &suite{dir: dir, binary: binary, skip: cmp.Or(skip, "^$"), limit: 10 * time.Minute, reached: map[int]bool{}}
	for {
		start := time.Now()
		out, err := s.run(ctx, switches.Reached+"="+binary+".reached", "-test.v")
		if err == nil {
			s.limit = 10*time.Second + 5*time.Since(start)
			break
		}
		failed := failedTest.FindAllSubmatch(out, -1)
		if failed == nil || ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w: %s", dir, err, out)
		}
		for _, f := range failed {
			fmt.Printf("without %s of %s, which fails with switches\n", f[1], filepath.Base(dir))
			s.skip += "|^" + string(f[1]) + "$"
		}
	}
	text, err := os.ReadFile(binary + ".reached")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for number := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.Atoi(number); err == nil {
			s.reached[n] = true
		}
	}
	return s, nil
}

// run runs the tests with one more environment variable.
func (s *suite) run(ctx context.Context, variable string, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	command := exec.CommandContext(ctx, s.binary, append(flags, "-test.failfast", "-test.skip", s.skip)...)
	command.Dir, command.Env = s.dir, append(os.Environ(), variable)
	command.WaitDelay = time.Second
	return command.CombinedOutput()
}

// notices reports whether the tests fail with this mutant.
func (s *suite) notices(ctx context.Context, m *mutant) (bool, error) {
	if !s.reached[m.number] {
		return false, nil
	}
	_, err := s.run(ctx, switches.Chosen+"="+strconv.Itoa(m.number))
	return err != nil, ctx.Err()
}
