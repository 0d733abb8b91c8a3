package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// reports writes a report in all formats, and returns them by format, and stderr.
func reports(t *testing.T, wantStatus int, args ...string) (got map[string]string, stderr string) {
	t.Helper()
	dir, got := t.TempDir(), map[string]string{}
	var all []string
	for _, f := range formats {
		all = append(all, "-o", filepath.Join(dir, "report"+f.end))
	}
	status, stdout, stderr := check(t, append(all, args...)...)
	require.Equal(t, wantStatus, status, "%s", stderr)
	assert.Empty(t, stdout)
	for _, f := range formats {
		raw, err := os.ReadFile(filepath.Join(dir, "report"+f.end))
		require.NoError(t, err)
		got[f.name] = string(raw)
	}
	return got, stderr
}

// TestGrade checks servers, and compares what the formats say about them.
func TestGrade(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args     []string
		status   int
		findings []string
		called   []string
	}{
		"good":      {serving("good"), statusGood, nil, []string{"find"}},
		"all":       {serving("good", "-all"), statusGood, nil, []string{"find", "make"}},
		"by name":   {serving("good", "-tool", "make", "-skip", "find"), statusGood, nil, []string{"make"}},
		"mute":      {serving("mute"), statusFindings, []string{"make no_annotations"}, []string{"find"}},
		"bare text": {serving("bare"), statusFindings, []string{"find bare_text"}, []string{"find"}},
		"masks":     {serving("masks"), statusFindings, []string{"find masked"}, []string{"find"}},
		"misleads":  {serving("misleads"), statusFindings, []string{"find bad_hint"}, []string{"find"}},
		"dies": {
			serving("dies", "-tool", "make"), statusFindings,
			[]string{"find server_died", "make server_died"},
			[]string{"find", "make"},
		},
		"writes":  {serving("writes"), statusFailed, []string{"find no_annotations"}, nil},
		"nothing": {serving("nothing"), statusFailed, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, stderr := reports(t, test.status, append([]string{"-source", "docs/my tools.md"}, test.args...)...)
			plain := checkFormats(t, got)
			assert.Equal(t, test.status == statusFailed, plain.Error != "")
			var findings, called []string
			for _, f := range plain.Findings {
				findings = append(findings, f.Tool+" "+string(f.Kind))
				assert.Regexp(t, `(?m)^  `+string(f.Kind)+` +`+f.Severity+` .*\b`+f.Tool+`\b.* \d+ `, got["text"])
				assert.Equal(t, 1, strings.Count(got["text"], f.Fix), "said once for each kind")
			}
			for _, tool := range plain.Tools {
				if tool.Calls > 0 {
					called = append(called, tool.Name)
				}
			}
			assert.Equal(t, test.findings, findings)
			assert.Equal(t, test.called, called)
			assert.Equal(t, name == "masks", strings.Contains(got["text"], "    know  find was called order_id that does not "+
				"exist\n"))
			if test.status == statusFailed {
				assert.Empty(t, plain.Tier)
				return
			}
			assert.NotEmpty(t, plain.Tier)
			assert.Equal(t, plain.Score == 100, len(findings)+len(plain.Notes) == 0, "the reason is stated")
			said := fmt.Sprintf("%s, score %d of 100, by %d of %d tools called", plain.Tier, plain.Score, len(called),
				len(plain.Tools))
			assert.Contains(t, got["text"], "\n  "+said+"\n")
			assert.Contains(t, got["html"], said)
			assert.Equal(t, len(formats), strings.Count(stderr, "grade: "+said+": see "), stderr)
			assert.Equal(t, len(formats), strings.Count(stderr, "\n"), "no progress, since it is no terminal")
		})
	}
}

// TestGrade_Hostile checks what no format may let through.
func TestGrade_Hostile(t *testing.T) {
	t.Parallel()
	got, _ := reports(t, statusFindings, serving("hostile", "-source", "docs/my tools.md")...)
	checkFormats(t, got)
	for _, tag := range []string{
		"<script", "<img", "<svg onload", "<a href=\"javascript", "<meta http-equiv=refresh",
		"</pre></style>",
	} {
		assert.NotContains(t, got["html"], tag)
		assert.NotContains(t, got["junit"], tag)
	}
	assert.Contains(t, got["html"], "&lt;script&gt;pwned=1", "it is shown as what it is")
	assert.Equal(t, 1, strings.Count(got["html"], "</style>"))
	for _, format := range []string{"html", "text", "junit"} {
		for _, letter := range []string{"\x1b", "\u202e", "\u2066", "\x00", "\x07", "\r"} {
			assert.NotContains(t, got[format], letter, "%s: %q", format, letter)
		}
	}
	for format, report := range got {
		assert.Less(t, len(report), 200_000, "%s is bounded, with many answers of 128 KB", format)
	}
}

// checkFormats compares the formats, and returns what they say.
func checkFormats(t *testing.T, got map[string]string) decoded {
	t.Helper()
	plain := decode(t, got["json"])
	for _, f := range plain.Findings {
		assert.NotEmpty(t, f.Why)
		assert.NotEmpty(t, f.Fix)
		assert.Contains(t, got["html"], f.Fix)
		assert.Contains(t, got["text"], f.Fix)
	}
	for _, f := range plain.Notes {
		for format, report := range got {
			assert.Contains(t, report, f.Fix, format)
		}
	}
	assert.Equal(t, len(plain.Tools) == 0, got["text"] == "")
	assert.NotContains(t, got["text"], "\x1b", "nothing moves the terminal's cursor")
	checkSARIF(t, plain, got["sarif"])
	checkJUnit(t, plain, got["junit"])
	checkHTML(t, plain, got["html"])
	return plain
}

func checkSARIF(t *testing.T, plain decoded, report string) {
	t.Helper()
	var got sarifLog
	require.NoError(t, json.Unmarshal([]byte(report), &got))
	run := got.Runs[0]
	require.Len(t, run.Results, len(plain.Causes))
	tools := 0
	assert.Equal(t, plain.Error == "", run.Invocations[0].ExecutionSuccessful)
	for _, r := range run.Results {
		assert.Equal(t, r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		assert.Equal(t, "docs/my%20tools.md", r.Locations[0].Physical.Artifact.URI)
		tools += len(r.Locations[0].Logical)
	}
	assert.Len(t, plain.Findings, tools)
}

// checkJUnit wants a test for each call, which fails if it shows a finding, and one for
// each finding that no call shows.
func checkJUnit(t *testing.T, plain decoded, report string) {
	t.Helper()
	wrong, without := 0, 0
	for _, c := range plain.Calls {
		assert.NotEmpty(t, c.Action)
		assert.NotEmpty(t, c.Reason)
		assert.NotEmpty(t, c.Seen)
		if len(c.Findings) > 0 {
			wrong++
		}
	}
	for _, f := range plain.Findings {
		if len(f.Calls) == 0 {
			without++
		}
	}
	var got junitSuites
	require.NoError(t, xml.Unmarshal([]byte(report), &got))
	tests, failures, errs := 0, 0, 0
	for i, s := range got.Suites {
		assert.Equal(t, i, s.ID)
		assert.Len(t, s.Cases, s.Tests)
		tests, failures, errs = tests+s.Tests, failures+s.Failures, errs+s.Errors
	}
	assert.Equal(t, wrong+without, failures)
	assert.Equal(t, plain.Error != "", errs == 1)
	assert.Equal(t, len(plain.Calls)+without+errs, tests)
}

// checkHTML wants the score, every call, and an example of each kind of finding that a call shows.
func checkHTML(t *testing.T, plain decoded, report string) {
	t.Helper()
	if len(plain.Calls) == 0 {
		assert.Contains(t, report, "could not be checked")
		assert.Contains(t, report, "<pre class=\"error\">")
		return
	}
	kinds := map[servertest.Kind]bool{}
	for _, c := range plain.Calls {
		for _, kind := range c.Findings {
			kinds[kind] = true
		}
	}
	assert.Contains(t, report, fmt.Sprintf("%s, score %d of 100", plain.Tier, plain.Score))
	assert.GreaterOrEqual(t, strings.Count(report, "<dt>The agent sees</dt>"), len(plain.Calls)+len(kinds))
}

// TestWriteHTML_Large bounds the page of a server with the most tools and calls.
func TestWriteHTML_Large(t *testing.T) {
	t.Parallel()
	const tools, calls = 1000, 100
	report, answer := &servertest.Report{}, strings.Repeat("answer", 1000)
	for i := range tools {
		name := fmt.Sprintf("tool_%d", i)
		report.Tools = append(report.Tools, servertest.ToolReport{Name: name, Calls: calls})
		report.Findings = append(report.Findings,
			servertest.Finding{
				Tool: name, Kind: servertest.KindBareText, Calls: []string{"last"},
				Evidence: []int{len(report.Calls) + calls - 1},
			})
		for j := range calls {
			probe := map[bool]string{true: "last", false: "first"}[j == calls-1]
			report.Calls = append(report.Calls, servertest.Call{Tool: name, Probe: probe, Answer: answer})
		}
	}
	g := &graded{Server: "large", Time: time.Unix(0, 0)}
	g.setReport(report)
	var b bytes.Buffer
	require.NoError(t, writeHTML(&b, g))
	assert.Less(t, b.Len(), 16<<20)
	assert.Equal(t, tools, strings.Count(b.String(), "96 more calls not shown here"))
	assert.Equal(t, 1, strings.Count(b.String(), "950 more tools."))
	assert.Equal(t, tools+1, strings.Count(b.String(), "</code> last"), "calls that show a finding come first")
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, test := range map[string]struct {
		args   []string
		file   string
		starts string // the file
		stdout string // starts with
	}{
		"the ending says it":     {[]string{"-o", in("A.HTML")}, "A.HTML", "<!DOCTYPE html>", ""},
		"the flag says it":       {[]string{"-format", "junit", "-o", in("b.html")}, "b.html", "<?xml", ""},
		"an unknown ending":      {[]string{"-o", in("c.log")}, "c.log", "orders v1", ""},
		"stdout besides":         {[]string{"-o", "-", "-o", in("d.sarif")}, "d.sarif", "{\n", "orders v1"},
		"stdout in a format":     {[]string{"-format", "html"}, "", "", "<!DOCTYPE html>"},
		"what stood there is no": {[]string{"-o", in("e.json")}, "e.json", "{\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.file == "e.json" {
				require.NoError(t, os.WriteFile(in("e.json"), bytes.Repeat([]byte("old"), 1<<20), 0o600))
			}
			status, stdout, stderr := check(t, serving("good", test.args...)...)
			require.Equal(t, statusGood, status, "%s", stderr)
			if test.file != "" {
				raw, err := os.ReadFile(in(test.file))
				require.NoError(t, err)
				assert.True(t, bytes.HasPrefix(raw, []byte(test.starts)), "%s", raw)
				assert.NotContains(t, string(raw), "oldold")
			}
			assert.True(t, strings.HasPrefix(stdout, test.stdout), "%s", stdout)
			assert.Equal(t, test.stdout == "", stdout == "")
		})
	}
	status, _, stderr := check(t, serving("good", "-o", in("no/such/folder.json"), "-o", in("f.json"))...)
	assert.Equal(t, statusFailed, status)
	assert.Contains(t, stderr, "grade: cannot write the report: ")
	assert.FileExists(t, in("f.json"), "the others are written")
}
