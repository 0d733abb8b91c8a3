package main

import (
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

const actionFolder = "../../.github/actions/grade"

// runAction runs the action's step as the runner does, and returns its exit status, the
// folder of its reports, and what it has written.
func runAction(t *testing.T, temp string, inputs map[string]string) (status int, folder, log, summary, outputs string) {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(actionFolder)
	require.NoError(t, err)
	env := map[string]string{
		"GITHUB_ACTION_PATH": path, "RUNNER_TEMP": temp, "GITHUB_OUTPUT": dir + "/outputs", "GITHUB_STEP_SUMMARY": dir + "/summary",
		"COMMAND": "", "URL": "", "HEADERS": "", "FLAGS": "", "MIN": "", "FORMAT": "html sarif", "FOLDER": dir + "/reports", "SOURCE": "README.md",
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
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", out)
		status = exit.ExitCode()
	}
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		return string(raw)
	}
	return status, dir + "/reports", string(out), read("summary"), read("outputs")
}

// TestAction runs its cases one after the other, so that the program is built once.
func TestAction(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // on which the shell of other systems is no part of the go command's needs
	}
	temp := t.TempDir()
	for name, test := range map[string]struct {
		inputs  map[string]string
		status  int
		files   []string
		summary string
		outputs string
	}{
		"good":                {map[string]string{"COMMAND": os.Args[0] + " -serve good"}, statusGood, []string{"grade.html", "grade.sarif"}, "    orders v1", "score=100\nstatus=0\n"},
		"findings":            {map[string]string{"COMMAND": os.Args[0] + " -serve bare", "FORMAT": "junit json text"}, statusFindings, []string{"grade.json", "grade.txt", "grade.xml"}, "    Findings", "score=66\nstatus=1\n"},
		"good enough":         {map[string]string{"COMMAND": os.Args[0] + " -serve bare", "MIN": "60"}, statusGood, []string{"grade.html", "grade.sarif"}, "    Findings", "score=66\nstatus=0\n"},
		"flags, a variable":   {map[string]string{"COMMAND": `GOOD="good" && ` + os.Args[0] + ` -serve "$GOOD"`, "FLAGS": "-skip make -timeout 9s"}, statusGood, []string{"grade.html", "grade.sarif"}, "    orders v1", "score=100\nstatus=0\n"},
		"nobody at the URL":   {map[string]string{"URL": "http://127.0.0.1:1/mcp", "HEADERS": "A: b\nC: d\n"}, statusFailed, []string{"grade.html", "grade.sarif"}, "    grade: cannot connect", "score=\nstatus=3\n"},
		"neither":             {map[string]string{}, statusUsage, nil, "    grade: want the server's command", "score=\nstatus=2\n"},
		"no such format":      {map[string]string{"FORMAT": "pdf"}, statusUsage, nil, "", "status=2\n"},
		"an input is no code": {map[string]string{"URL": "http://127.0.0.1:1/$(touch pwned)`touch pwned`", "FLAGS": "-tool $(touch${IFS}pwned)"}, statusFailed, []string{"grade.html", "grade.sarif"}, "    grade: cannot", "score=\nstatus=3\n"},
	} {
		t.Run(name, func(t *testing.T) {
			status, folder, log, summary, outputs := runAction(t, temp, test.inputs)
			assert.Equal(t, test.status, status, "%s", log)
			files, err := filepath.Glob(folder + "/*")
			require.NoError(t, err)
			for i := range files {
				files[i] = filepath.Base(files[i])
			}
			assert.Equal(t, test.files, files)
			assert.Contains(t, summary, test.summary)
			assert.Equal(t, test.outputs, outputs)
			assert.NoFileExists(t, filepath.Join(filepath.Dir(folder), "pwned"))
		})
	}
}

// TestAction_Hostile holds back a server's words from the runner, which takes lines of
// the log for commands, and shows the summary as Markdown.
func TestAction_Hostile(t *testing.T) {
	t.Parallel()
	_, _, log, summary, _ := runAction(t, t.TempDir(), map[string]string{"COMMAND": os.Args[0] + " -serve hostile"})
	said := regexp.MustCompile(`(?s)^::stop-commands::([0-9a-f]{32})\n(.*)\n::([0-9a-f]{32})::\n$`).FindStringSubmatch(log)
	require.NotNil(t, said, "%s", log)
	assert.Equal(t, said[1], said[3])
	assert.Contains(t, said[2], "pwned")
	assert.NotContains(t, said[2], said[1])
	for line := range strings.Lines(strings.TrimPrefix(summary, "## How the MCP server fails\n\n")) {
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
	for _, m := range regexp.MustCompile(`(?m)^        ([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$`).FindAllStringSubmatch(string(action), -1) {
		given[m[1]] = true
		assert.Equal(t, m[1], strings.ToUpper(strings.ReplaceAll(m[2], "-", "_")))
		assert.Contains(t, string(action), "\n  "+m[2]+":\n", "an input")
		assert.Regexp(t, `\$`+m[1]+`\b`, string(script))
	}
	assert.Len(t, given, 8)
	assert.NotRegexp(t, `(?m)^ +run:.*\$\{\{`, string(action), "an input in the script would be code")
}
