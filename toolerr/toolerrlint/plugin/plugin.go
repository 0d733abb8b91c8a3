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

func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{toolerrlint.Analyzer}, nil
}

func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
