package effect_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	unknown, readOnly, idempotent := &effect.Tool{}, &effect.Tool{ReadOnly: true}, &effect.Tool{Idempotent: true}
	for name, test := range map[string]struct {
		tool                *effect.Tool // nil before the failure is an answer
		category, stated    string
		temporary           bool
		processed, attempts int // processed is -1 without a partial result
		effect              string
		retryable           bool
	}{
		"nothing known":                     {unknown, "", "", false, -1, 0, "", false},
		"temporary":                         {unknown, "", "", true, -1, 0, "unknown", false},
		"transient":                         {unknown, "transient", "", true, -1, 0, "unknown", false},
		"transient, a bug":                  {unknown, "transient", "", false, -1, 0, "unknown", false},
		"a category of others":              {unknown, "quantum", "", false, -1, 0, "unknown", false},
		"refused: validation":               {unknown, "validation", "", false, -1, 0, "", false},
		"refused: business":                 {unknown, "business", "", true, -1, 0, "", false},
		"refused: permission":               {unknown, "permission", "", false, -1, 0, "", false},
		"stated: none":                      {unknown, "transient", "none", true, -1, 0, "none", true},
		"stated: none, not temporary":       {unknown, "transient", "none", false, -1, 0, "none", false},
		"stated: unknown":                   {unknown, "transient", "unknown", true, -1, 0, "unknown", false},
		"stated: applied":                   {unknown, "transient", "applied", true, -1, 0, "applied", false},
		"stated: a word of others":          {unknown, "transient", "undone", true, -1, 0, "undone", false},
		"read-only":                         {readOnly, "transient", "", true, -1, 0, "none", true},
		"read-only, said to be applied":     {readOnly, "transient", "applied", true, 2, 0, "none", false},
		"read-only, not temporary":          {readOnly, "", "", false, -1, 0, "none", false},
		"idempotent":                        {idempotent, "transient", "", true, -1, 0, "", true},
		"idempotent, applied":               {idempotent, "transient", "applied", true, -1, 0, "applied", true},
		"no answer yet":                     {nil, "transient", "", true, -1, 0, "", true},
		"no answer yet, unknown":            {nil, "transient", "unknown", true, -1, 0, "unknown", false},
		"no answer yet, none":               {nil, "transient", "none", true, -1, 0, "none", true},
		"a part, nothing processed":         {unknown, "transient", "", true, 0, 0, "", false},
		"a part, processed":                 {unknown, "transient", "none", true, 1, 0, "applied", false},
		"a part of an idempotent tool":      {idempotent, "transient", "", true, 1, 0, "applied", false},
		"retried already":                   {unknown, "transient", "none", true, -1, 3, "none", false},
		"retried already, read-only":        {readOnly, "transient", "", true, -1, 3, "none", false},
		"retried already, no answer yet":    {nil, "transient", "", true, -1, 3, "", false},
		"a part of none, of a refused call": {nil, "business", "", false, 0, 0, "", false},
	} {
		got, retryable := effect.Resolve(effect.Facts{
			Category: test.category, Effect: test.stated, Temporary: test.temporary,
			Partial: test.processed >= 0, Processed: test.processed > 0, Attempted: test.attempts > 0,
		}, test.tool)
		assert.Equal(t, test.effect, got, name)
		assert.Equal(t, test.retryable, retryable, name)
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	order := []string{effect.None, "", effect.Unknown, effect.Applied}
	for i, a := range order {
		for j, b := range order {
			assert.Equal(t, order[max(i, j)], effect.Worst(a, b))
		}
	}
	assert.Equal(t, effect.None, effect.Worst[string]())
	assert.Equal(t, "undone", effect.Worst("", "undone", effect.Unknown, effect.None))
}
