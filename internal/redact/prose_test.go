package redact_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

func TestSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Incorrect API key provided: sk-live-abcdef1234.":                     "Incorrect API key provided: [masked].",
		`The password: "hunter2-secret" is wrong`:                             `The password: "[masked]" is wrong`,
		"token=abcdef123456&next":                                             "token=[masked]",
		"Authorization: Bearer abc.def-ghi12 was refused":                     "Authorization: [masked] was refused",
		"ghp_0123456789abcdefghij is not valid":                               "[masked] is not valid",
		"see https://user:pass@example.com/x?key=1, please":                   "see https://example.com/x, please",
		"Must have admin rights to Repository.":                               "Must have admin rights to Repository.",
		"Validation Failed: title missing_field":                              "Validation Failed: title missing_field",
		"Unexpected token: } in JSON":                                         "Unexpected token: } in JSON",
		"max_tokens: 4096000 is too large":                                    "max_tokens: 4096000 is too large",
		"The secret was not found.":                                           "The secret was not found.",
		"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- is bad": "[masked] is bad",
	} {
		assert.Equal(t, want, redact.Secrets(text))
	}
}
