package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// There is no standard for JUnit's format. These elements are valid in both Ant's and Jenkins's
// schemas.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string      `xml:"name,attr"`
		Package    string      `xml:"package,attr"`
		ID         int         `xml:"id,attr"`
		Timestamp  string      `xml:"timestamp,attr"`
		Hostname   string      `xml:"hostname,attr"`
		Tests      int         `xml:"tests,attr"`
		Failures   int         `xml:"failures,attr"`
		Errors     int         `xml:"errors,attr"`
		Time       string      `xml:"time,attr"`
		Properties junitList   `xml:"properties"`
		Cases      []junitCase `xml:"testcase"`
		Out        string      `xml:"system-out"`
		Err        string      `xml:"system-err"`
	}
	junitList struct {
		Properties []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Error   *junitFailure `xml:"error"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes the report for CI systems: a suite for each tool and one for the server, unless
// empty, with a test for each call, for each finding that no call shows, and for an error. Notes are its output.
func writeJUnit(w io.Writer, g *graded) error {
	var all junitSuites
	calls := g.byTool()
	for _, tool := range append([]servertest.ToolReport{{}}, g.Tools...) {
		suite := g.junitSuite(tool, calls[tool.Name])
		if tool.Name == "" && g.Error != "" {
			suite.add(junitCase{Name: "check", Error: &junitFailure{"error", g.Error, g.Error}}, 0)
		}
		if suite.Tests > 0 || suite.Out != "" {
			suite.ID = len(all.Suites)
			all.Suites = append(all.Suites, *suite)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitSuite returns the suite of a tool, or of the server if the tool has no name.
func (g *graded) junitSuite(tool servertest.ToolReport, calls []call) *junitSuite {
	suite := &junitSuite{
		// the real name is private
		Name: name(tool.Name), Package: g.Server, Timestamp: g.Time.Format("2006-01-02T15:04:05"), Hostname: "localhost",
	}
	suite.Properties.Properties = []junitProperty{{"grade", g.Grade}} // Jenkins needs one
	if g.Tier != "" {
		suite.Properties.Properties = append(suite.Properties.Properties, junitProperty{"tier", string(g.Tier)},
			junitProperty{"score", fmt.Sprint(g.Score)},
			junitProperty{"called", fmt.Sprintf("%d of %d tools", g.Called, len(g.Tools))})
	}
	var elapsed int64
	for _, c := range calls {
		elapsed += c.ElapsedMs
		test := junitCase{Name: printable(c.Probe)}
		if len(c.Findings) > 0 {
			test.Failure = g.junitFailure(c)
		}
		suite.add(test, c.ElapsedMs)
	}
	for _, f := range g.Findings {
		if f.Tool == tool.Name && len(f.Calls) == 0 {
			suite.add(junitCase{
				Name:    words(string(f.Kind)),
				Failure: &junitFailure{string(f.Kind), f.Detail, f.Why + "\n" + f.Fix},
			}, 0)
		}
	}
	for _, f := range g.Notes {
		if f.Tool == tool.Name {
			suite.Out += printable(fmt.Sprintf("%s: %s. %s", words(string(f.Kind)), f.Detail, f.Fix)) + "\n"
		}
	}
	suite.Time = seconds(elapsed)
	return suite
}

func (s *junitSuite) add(test junitCase, elapsed int64) {
	test.Class, test.Time = s.Package+"."+s.Name, seconds(elapsed)
	s.Cases = append(s.Cases, test)
	s.Tests++
	if test.Failure != nil {
		s.Failures++
	}
	if test.Error != nil {
		s.Errors++
	}
}

// junitFailure returns a failure element with all findings that a call shows.
func (g *graded) junitFailure(c call) *junitFailure {
	var kinds, text []string
	for _, f := range g.Findings {
		if f.Tool == c.Tool && slices.Contains(c.Findings, f.Kind) {
			kinds = append(kinds, string(f.Kind))
			text = append(text, fmt.Sprintf("%s: %s\n%s\n", words(string(f.Kind)), f.Why, f.Fix))
		}
	}
	text = append(text, "arguments: "+c.Arguments+"\nanswer: "+c.Answer)
	return &junitFailure{strings.Join(kinds, " "), cut(printable(c.Answer), 200), strings.Join(text, "\n")}
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }
