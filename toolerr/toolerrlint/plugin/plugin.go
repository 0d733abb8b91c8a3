// Package plugin makes toolerrlint a module plugin of golangci-lint; the README of toolerrlint shows its configuration.
package plugin

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
)

func init() {
	register.Plugin("toolerrlint", func(any) (register.LinterPlugin, error) { return linter{}, nil })
}

type linter struct{}

// BuildAnalyzers returns the analyzer.
func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{toolerrlint.Analyzer}, nil
}

// GetLoadMode asks for types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
