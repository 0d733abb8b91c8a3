// Steps counts the statements that each Work of package growth executes, for N/8 and for N/4, and
// writes one line per Work. It has to be built with -cover -covermode=atomic; -coverpkg selects the
// packages that count:
//
//	steps FOLDER
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/coverage"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/growth"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("Usage: steps FOLDER: it leaves the counters in this folder")
	}
	for number, name := range slices.Sorted(maps.Keys(growth.Works)) {
		w := growth.Works[name]
		n := w.N / 8 // counting takes longer than working
		_, once := w.Make(n)
		once() // creates tables
		fmt.Printf("%q", name)
		for i, n := range []int{n, 2 * n} {
			_, run := w.Make(n)
			total, err := count(filepath.Join(os.Args[1], fmt.Sprint(number, "-", i)), run)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Print(" ", total)
		}
		fmt.Println()
	}
}

// count returns the number of statements that run executes.
func count(folder string, run func()) (int, error) {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return 0, err
	}
	if err := coverage.ClearCounters(); err != nil {
		return 0, err
	}
	run()
	if err := coverage.WriteCountersDir(folder); err != nil {
		return 0, err
	}
	if err := coverage.WriteMetaDir(folder); err != nil {
		return 0, err
	}
	profile := folder + ".txt"
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+folder, "-o="+profile).
		CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go tool covdata: %w: %s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return 0, err
	}
	total := 0
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		var place string
		var statements, times int
		if _, err := fmt.Sscan(s.Text(), &place, &statements, &times); err == nil {
			total += statements * times
		}
	}
	return total, nil
}
