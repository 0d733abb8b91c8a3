package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateReports = flag.Bool("update", false, "write the reports of our own servers to testdata")

// What differs from run to run: times and our version; keys, and ids of the log.
var (
	changing = regexp.MustCompile(`("(?:elapsedMs|time|grade)": )(?:"[^"]*"|[0-9]+)`)
	random   = regexp.MustCompile(`(correlationId\\":\\"|idempotency_key\\":\\"|key-)[A-Z0-9]+`)
)

// TestOurOwnServers holds the other examples to what they teach: there is no finding, and the
// report says of every call what it says in testdata. To change that, run it with -update.
func TestOurOwnServers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "-C", "../..", "build", "-o", dir, "./examples/support",
		"./examples/research").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, args := range map[string][]string{"support": {"-serve"}, "research": {"-agent", "papers"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := check(t,
				append([]string{"-format", "json", "-all", "--", filepath.Join(dir, name)}, args...)...)
			require.Equal(t, statusGood, status, "%s%s", stdout, stderr)
			got := random.ReplaceAllString(changing.ReplaceAllString(stdout, `$1"..."`), "$1")
			golden := filepath.Join("testdata", name+".golden.json")
			if *updateReports {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

// npm is a folder in which the servers of testdata/servers are installed, by
// npm ci. Without it the test runs on none of them.
var npm = flag.String("npm", "", "check the reference servers that are installed in this `folder`")

// TestReferenceServers pins what is found in servers of other authors: each
// kind of finding was checked by hand, and the versions are fixed. These are not
// findings, and were checked too: missing annotations (all tools have some), a message of the
// type error with the word "Error", a list of files with an error for each unreadable one, and
// a path in the folder that the server publishes.
func TestReferenceServers(t *testing.T) {
	t.Parallel()
	if *npm == "" {
		return
	}
	dir := t.TempDir()
	for name, test := range map[string]struct {
		command  []string
		findings map[string][]string // by kind; the tools by name
	}{
		"everything": {nil, map[string][]string{
			"bare_text": {
				"echo", "get-annotated-message", "get-resource-links", "get-resource-reference",
				"get-structured-content", "get-sum", "trigger-long-running-operation",
			},
		}},
		"filesystem": {[]string{dir}, map[string][]string{
			"bare_text": {
				"directory_tree", "get_file_info", "list_directory", "list_directory_with_sizes", "read_file",
				"read_media_file", "read_multiple_files", "read_text_file", "search_files",
			},
		}},
		"memory": {nil, map[string][]string{"bare_text": {"open_nodes", "search_nodes"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, err := filepath.Abs(filepath.Join(*npm, "node_modules", ".bin", "mcp-server-"+name))
			require.NoError(t, err)
			command := []string{
				"-format", "json", "--", "env", "MEMORY_FILE_PATH=" + filepath.Join(dir, "memory.jsonl"),
				program,
			}
			status, stdout, stderr := check(t, append(command, test.command...)...)
			require.Equal(t, statusFindings, status, "%s", stderr)
			findings := map[string][]string{}
			for _, f := range decode(t, stdout).Findings {
				findings[string(f.Kind)] = append(findings[string(f.Kind)], f.Tool)
			}
			assert.Equal(t, test.findings, findings)
		})
	}
}

// browser is a Chromium, and checker the folder of testdata/check, with its packages
// installed by npm ci. Without them the test looks at no page.
var (
	browser = flag.String("browser", "", "look at HTML reports with this `program`, a Chromium")
	checker = flag.String("checker", "", "hold reports to what check.mjs in this `folder` says")
	keep    = flag.String("keep", "", "leave the reports in this `folder`, with pictures if PICTURES is set")
)

// TestReports_InBrowser opens reports in a real browser, light and dark, wide and
// narrow, with and without scripts, and holds them to axe's rules of accessibility;
// SARIF and JUnit are held to their schemas.
func TestReports_InBrowser(t *testing.T) {
	t.Parallel()
	if *browser == "" {
		return
	}
	dir := t.TempDir()
	if *keep != "" {
		dir = *keep
	}
	for _, how := range []string{"good", "bare", "dies", "hostile", "writes", "nothing"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			args := []string{filepath.Join(*checker, "check.mjs"), *browser}
			for _, end := range []string{".html", ".sarif", ".xml"} {
				name := filepath.Join(dir, how+end)
				_, _, stderr := check(t, serving(how, "-o", name)...)
				require.FileExists(t, name, "%s", stderr)
				args = append(args, name)
			}
			out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput()
			assert.NoError(t, err, "%s", out)
		})
	}
}

const actionFolder = "../../.github/actions/grade"

// An action is what a run of the action leaves.
type action struct {
	status                int
	files                 []string
	log, summary, outputs string
}

// runAction runs the action's step as the runner does.
func runAction(t *testing.T, temp string, inputs map[string]string) (got action) {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(actionFolder)
	require.NoError(t, err)
	env := map[string]string{
		"GITHUB_ACTION_PATH": path, "RUNNER_TEMP": temp, "GITHUB_OUTPUT": dir + "/outputs",
		"GITHUB_STEP_SUMMARY": dir + "/summary",
		"COMMAND":             "", "URL": "", "HEADERS": "", "FLAGS": "", "MIN": "", "FORMAT": "html sarif",
		"FOLDER": dir + "/reports", "SOURCE": "README.md",
	}
	command := exec.CommandContext(t.Context(), "bash", path+"/grade.sh")
	command.Dir, command.Env = dir, os.Environ()
	for name := range inputs {
		require.Contains(t, env, name)
		env[name] = inputs[name]
	}
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	out, err := command.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError), "%s", out)
	}
	for file, text := range map[string]*string{"summary": &got.summary, "outputs": &got.outputs} {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		require.True(t, err == nil || os.IsNotExist(err), "%v", err)
		*text = string(raw)
	}
	entries, _ := os.ReadDir(dir + "/reports") // in which there need be none
	for _, e := range entries {
		got.files = append(got.files, e.Name())
	}
	assert.NoFileExists(t, dir+"/pwned")
	got.status, got.log = command.ProcessState.ExitCode(), string(out)
	return got
}

// TestAction runs its cases one after the other, so that the program is built once.
func TestAction(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // on which the shell of other systems is no part of the go command's needs
	}
	temp, served, both := t.TempDir(), os.Args[0]+" -serve ", []string{"grade.html", "grade.sarif"}
	for name, test := range map[string]struct {
		inputs  map[string]string
		status  int
		files   []string
		summary string
		outputs string
	}{
		"good": {
			map[string]string{"COMMAND": served + "good", "FLAGS": "-all"},
			statusGood, both,
			"    orders v1", "tier=proven\nscore=100\nstatus=0\n",
		},
		"findings": {
			map[string]string{"COMMAND": served + "bare", "FORMAT": "junit json text"},
			statusFindings,
			[]string{"grade.json", "grade.txt", "grade.xml"},
			"    Findings", "tier=readable\nscore=49\nstatus=1\n",
		},
		"good enough": {
			map[string]string{"COMMAND": served + "bare", "MIN": "40"},
			statusGood, both, "    Findings",
			"tier=readable\nscore=49\nstatus=0\n",
		},
		"flags, a variable": {map[string]string{
			"COMMAND": `GOOD="good" && ` + served + `"$GOOD"`,
			"FLAGS":   "-skip make -timeout 9s",
		}, statusGood, both, "    orders v1", "tier=structured\nscore=79\nstatus=0\n"},
		"nobody at the URL": {
			map[string]string{"URL": "http://127.0.0.1:1/mcp", "HEADERS": "A: b\nC: d\n"},
			statusFailed,
			both, "    grade: cannot connect", "status=3\n",
		},
		"neither":        {nil, statusUsage, nil, "    grade: want the server's command", "status=2\n"},
		"no such format": {map[string]string{"FORMAT": "pdf"}, statusUsage, nil, "", "status=2\n"},
		"an input is no code": {map[string]string{
			"URL":   "http://127.0.0.1:1/$(touch pwned)`touch pwned`",
			"FLAGS": "-tool $(touch${IFS}pwned)",
		}, statusFailed, both, "    grade: cannot", "status=3\n"},
	} {
		got := runAction(t, temp, test.inputs)
		assert.Contains(t, got.summary, test.summary, name)
		assert.Equal(t, action{test.status, test.files, got.log, got.summary, test.outputs}, got, name)
	}

	// A server's words are held back from the runner, which takes lines of the log for
	// commands, and shows the summary as Markdown.
	got := runAction(t, temp, map[string]string{"COMMAND": served + "hostile"})
	said := regexp.MustCompile(`(?s)^::stop-commands::([0-9a-f]{32})\n(.*)\n::([0-9a-f]{32})::\n$`).
		FindStringSubmatch(got.log)
	require.NotNil(t, said, "%s", got.log)
	assert.Equal(t, said[1], said[3])
	assert.Contains(t, said[2], "pwned")
	assert.NotContains(t, said[2], said[1])
	for line := range strings.Lines(strings.TrimPrefix(got.summary, "## How the MCP server fails\n\n")) {
		assert.True(t, strings.HasPrefix(line, "    "), "%q", line)
	}
}

// TestAction_Environment compares what the action gives its script with what that takes.
func TestAction_Environment(t *testing.T) {
	t.Parallel()
	action, err := os.ReadFile(actionFolder + "/action.yml")
	require.NoError(t, err)
	script, err := os.ReadFile(actionFolder + "/grade.sh")
	require.NoError(t, err)
	given := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^        ([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$`).
		FindAllStringSubmatch(string(action), -1) {
		given[m[1]] = true
		assert.Equal(t, m[1], strings.ToUpper(strings.ReplaceAll(m[2], "-", "_")))
		assert.Contains(t, string(action), "\n  "+m[2]+":\n", "an input")
		assert.Regexp(t, `\$`+m[1]+`\b`, string(script))
	}
	assert.Len(t, given, 8)
	assert.NotRegexp(t, `(?m)^ +run:.*\$\{\{`, string(action), "an input in the script would be code")
}
