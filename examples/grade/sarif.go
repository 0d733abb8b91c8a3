package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// The parts of SARIF 2.1.0 (OASIS, 2020) that code scanning services display.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Properties  map[string]any    `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string         `json:"id"`
		ShortDescription sarifText      `json:"shortDescription"`
		FullDescription  sarifText      `json:"fullDescription"`
		Help             sarifText      `json:"help"`
		HelpURI          string         `json:"helpUri"`
		Name             string         `json:"name"`
		Properties       map[string]any `json:"properties"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		EndTime             string              `json:"endTimeUtc"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact  `json:"artifactLocation"`
		Region   map[string]int `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifLogical struct {
		Name          string `json:"name"`
		QualifiedName string `json:"fullyQualifiedName"`
		Kind          string `json:"kind"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
)

// writeSARIF writes the causes for code scanning services, which need a file for each cause. A
// running server has no file, so [graded.Source] is used instead.
func writeSARIF(w io.Writer, g *graded) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{"grade", g.Grade, homepage, []sarifRule{}}},
		Invocations: []sarifInvocation{{
			ExecutionSuccessful: g.Error == "", EndTime: g.Time.Format(time.RFC3339), Notifications: []sarifNotification{},
		}},
		Results: []sarifResult{},
		Properties: map[string]any{
			"server": g.Server, "tier": g.Tier, "score": g.Score, "failures": g.Failures,
			"tools": len(g.Tools), "called": g.Called,
		},
	}
	note := func(level, text string) {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{level, sarifText{text}})
	}
	if g.Error != "" {
		note("error", g.Error)
	}
	for _, f := range g.Notes {
		note("note", fmt.Sprintf("%s: %s: %s. %s", name(f.Tool), words(string(f.Kind)), f.Detail, f.Fix))
	}
	for i, group := range groups(g.Findings) {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			string(group.Kind),
			sarifText{words(string(group.Kind))},
			sarifText{group.Why},
			sarifText{group.Fix},
			homepage + "/blob/main/result/servertest/findings.md", string(group.Kind),
			map[string]any{"problem.severity": group.Severity},
		})
		for _, cause := range g.Causes {
			if cause.Kind == group.Kind {
				run.Results = append(run.Results, g.sarifResult(i, cause))
			}
		}
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarifResult returns the SARIF result for a cause, with a logical location for each of its tools.
func (g *graded) sarifResult(rule int, c *cause) sarifResult {
	text := fmt.Sprintf("%s: %s. %s", strings.Join(c.Tools, ", "), strings.TrimSuffix(c.Detail, "."), c.Fix)
	if len(c.Calls) > 0 {
		text += fmt.Sprintf("\n\nSeen %s: %s\nThe answer: %s", c.Calls[0], c.Arguments, c.Answer)
	}
	same := sha256.Sum256([]byte(c.key())) // keeps an alert the same between runs
	place := sarifLocation{Physical: sarifPhysical{
		sarifArtifact{(&url.URL{Path: g.Source}).EscapedPath()},
		map[string]int{"startLine": 1},
	}}
	for _, tool := range c.Tools {
		place.Logical = append(place.Logical, sarifLogical{tool, g.Server + "/" + tool, "function"})
	}
	return sarifResult{
		RuleID: string(c.Kind), RuleIndex: rule, Level: c.Severity, Message: sarifText{text},
		Locations:    []sarifLocation{place},
		Fingerprints: map[string]string{"cause/v1": hex.EncodeToString(same[:])},
		Properties:   map[string]any{"tools": c.Tools, "calls": c.Seen},
	}
}
