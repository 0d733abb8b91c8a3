// Mutants makes small mistakes in the core packages, one at a time, and reports those that no test
// notices. The tests are those of the package or, if it has none, of the nearest folder above. Each
// mistake takes some seconds:
//
//	go run ./internal/testutil/mutants -n 100 -seed 7
//
// The checkout is not changed: the compiler gets the changed file with -overlay. A mutant that does
// not compile is not counted, and one that hangs counts as noticed. A survivor may be an equivalent
// mutant, whose change nobody can observe, such as that of a capacity.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// core lists the packages to change by default: those that decide.
const core = "./toolerr ./result ./result/internal/... ./result/idempotency ./retry ./retry/handoff ./retry/internal/... ./internal/classify/... " +
	"./internal/effect ./internal/hint ./internal/sanitize ./internal/redact ./internal/jsonvalue ./internal/schema ./internal/attempt ./internal/toolinfo ./internal/nearmiss"

// A mutant is a change at one place in a file.
type mutant struct {
	pkg      string // the import path
	tests    string // the package whose tests should notice it
	file     string
	from, to int // offsets of the replaced bytes
	line     int
	old, new string
}

func main() {
	n := flag.Int("n", 100, "how many mutants are tested")
	seed := flag.Uint64("seed", 1, "which ones")
	limit := flag.Duration("timeout", 2*time.Minute, "of the tests of a mutant; one that takes longer is noticed")
	wide := flag.Bool("wide", false, "test survivors also with toolerr, result and retry, and say which are noticed there")
	packages := flag.String("packages", core, "the packages, as for go list")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *seed, *limit, *wide, strings.Fields(*packages)); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "mutants: %v\n", err)
		os.Exit(1)
	}
}

// run tests up to n mutants, and prints the survivors and the counts.
func run(ctx context.Context, n int, seed uint64, limit time.Duration, wide bool, packages []string) error {
	all, err := collect(ctx, packages)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	dice := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a sample
	dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	tested, noticed := map[string]int{}, map[string]int{}
	total, survivors, elsewhere := 0, 0, 0
	for i := 0; i < len(all) && total < n; i++ {
		m := all[i]
		switch result, err := m.test(ctx, dir, limit, m.tests); {
		case err != nil:
			return err
		case result == invalid:
			continue
		case result == survived:
			survivors++
			where := ""
			if wide {
				if result, err = m.test(ctx, dir, limit, "./toolerr", "./result", "./result/idempotency", "./retry"); err != nil {
					return err
				} else if result == killed {
					elsewhere++
					where = " (noticed by another package)"
				}
			}
			fmt.Printf("%s:%d: %s -> %s%s\n", m.file, m.line, m.old, m.new, where)
		default:
			noticed[m.pkg]++
		}
		tested[m.pkg]++
		total++
	}
	for pkg, n := range tested {
		fmt.Printf("%3d of %3d noticed: %s\n", noticed[pkg], n, pkg)
	}
	fmt.Printf("%d of %d places, seed %d: %d noticed, %d by another package, %d not\n", total, len(all), seed, total-survivors, elsewhere, survivors-elsewhere)
	return nil
}

type outcome int

const (
	invalid outcome = iota // does not compile
	killed
	survived
)

// test runs the tests of these packages against the mutant.
func (m *mutant) test(ctx context.Context, dir string, limit time.Duration, tests ...string) (outcome, error) {
	code, err := os.ReadFile(m.file)
	if err != nil {
		return 0, err
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(changed, append(append(bytes.Clone(code[:m.from]), m.new...), code[m.to:]...), 0o600); err != nil {
		return 0, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return 0, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return 0, err
	}
	arguments := append([]string{"test", "-vet=off", "-failfast", "-count=1", "-timeout", limit.String(), "-overlay", list}, tests...)
	command := exec.CommandContext(ctx, "go", arguments...)
	out, err := command.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err == nil:
		return survived, nil
	case !errors.As(err, &failed):
		return 0, fmt.Errorf("%w: %s", err, out)
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return invalid, nil
	}
	return killed, nil
}
