package evidence_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
)

func TestArguments_Without(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("deadlock ", 2000)
	for name, test := range map[string][3]string{
		"a word":          {`{"q":"deadlock"}`, "deadlock, deadlocks and Deadlock", "…, deadlocks and Deadlock"},
		"in a list":       {`{"q":[{"a":"x.go"},503]}`, "x.go: 503, 5030", "…: …, 5030"},
		"a short one":     {`{"q":"in"}`, "in it", "in it"},
		"a name":          {`{"deadlock":true}`, "deadlock", "deadlock"},
		"none":            {`{}`, "deadlock", "deadlock"},
		"no JSON":         {`{"q":"dead`, "dead", "dead"},
		"in JSON":         {`{"q":"dead lock"}`, `{"error":"dead lock"}`, `{"error":"…"}`},
		"a text too long": {`{"q":"deadlock"}`, long, long},
	} {
		assert.Equal(t, test[2], evidence.New(json.RawMessage(test[0])).Without(test[1]), name)
	}
}
