package plugin_test

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
	_ "github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint/plugin"
)

func TestPlugin(t *testing.T) {
	makePlugin, err := register.GetPlugin("toolerrlint")
	if err != nil {
		t.Fatal(err)
	}
	linter, err := makePlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil || len(analyzers) != 1 || analyzers[0] != toolerrlint.Analyzer {
		t.Errorf("analyzers %v, error %v", analyzers, err)
	}
	if mode := linter.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("mode %q has no types", mode)
	}
}
