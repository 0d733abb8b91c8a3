package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// A peer is a program to compare with, which runs only if it is in PATH.
type peer struct {
	name, install string
	args          []string       // SERVER is the server's program, KIND its kind, FOLDER a temporary folder
	ran           string         // part of the output of every complete run
	says          *regexp.Regexp // a finding; its groups are printed
}

// peers lists programs that find faults in servers without a model or the network. Their versions
// are in result/servertest/findings.md.
var peers = []peer{
	{
		name: "mcp-fuzz", install: "mcp-runtime-check",
		args: []string{"--include-destructive", "--json", "--", "SERVER", "-serve", "KIND"},
		ran:  `"crash_resilience_percent": `, says: regexp.MustCompile(`"(crash|timeout)_count": ([1-9]\d*)`),
	},
	{
		name: "mcp-fuzzer", install: "mcp-fuzzer==0.7.0",
		args: []string{
			"--mode=tools", "--phase=both", "--runs=10", "--seed=1", "--no-network", "--output-dir=FOLDER",
			"--protocol=stdio", "--endpoint=SERVER -serve KIND",
		},
		ran: "Status: completed", says: regexp.MustCompile(`(?m)^  (\w+): (\d+)$`),
	},
	{
		name: "mcp-scanner", install: "cisco-ai-mcp-scanner==4.8.3",
		args: []string{
			"--analyzers=yara,readiness", "--raw", "stdio", "--stdio-command=SERVER", "--stdio-arg=-serve",
			"--stdio-arg=KIND",
		},
		ran: `"status": "completed"`, says: regexp.MustCompile(`"(yara|readiness)_analyzer": \{[^}]*"total_findings": ` +
			`([1-9]\d*)`),
	},
	{
		name: "mcp-doctor", install: "git+https://github.com/destilabs/mcp-doctor",
		args: []string{"analyze", "--check", "all", "--target", "SERVER -serve KIND"},
		ran:  "Description Analysis", says: regexp.MustCompile(`(Errors|Warnings|Info|Total Findings) +│ +([1-9]\d*) `),
	},
}

// installed returns the peers that are in PATH, and how to install the others.
func installed() (found []peer, advice string) {
	var missing []string
	for _, p := range peers {
		if _, err := exec.LookPath(p.name); err == nil {
			found = append(found, p)
		} else {
			missing = append(missing, p.install)
		}
	}
	if missing != nil {
		advice = "grading: for more columns: pip install " + strings.Join(missing, " ")
	}
	return found, advice
}

// check runs the peer against a server and returns what it finds.
func (p peer) check(ctx context.Context, kind string) (string, error) {
	program, err := os.Executable()
	folder, err2 := os.MkdirTemp("", "grading")
	if err = errors.Join(err, err2); err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	fill := strings.NewReplacer("SERVER", program, "KIND", kind, "FOLDER", folder)
	var args []string
	for _, a := range p.args {
		args = append(args, fill.Replace(a))
	}
	cmd := exec.CommandContext(ctx, p.name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+folder, "COLUMNS=160")
	out, failed := cmd.CombinedOutput() // it may fail if it finds something
	says, ok := p.findings(string(out))
	if !ok {
		return "", fmt.Errorf("%s %s: %w: %s", p.name, strings.Join(args, " "), failed, out)
	}
	return says, nil
}

// findings returns the findings in the peer's output, and reports whether the run was complete.
func (p peer) findings(out string) (string, bool) {
	if !strings.Contains(out, p.ran) {
		return "", false
	}
	var says []string
	for _, m := range p.says.FindAllStringSubmatch(out, -1) {
		says = append(says, strings.ToLower(m[1])+" "+m[2])
	}
	return strings.Join(says, ", "), true
}
