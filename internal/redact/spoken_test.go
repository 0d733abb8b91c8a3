package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
)

// TestArguments_Documents checks generated secrets in documents, sentences and lists in which
// no operator is between the name and the value, or another value is.
func TestArguments_Documents(t *testing.T) {
	t.Parallel()
	shapes := []string{
		`{"text":"machine api.example login ann password $"}`, `{"text":"machine api.example\n  login ann\n  password $\n"}`,
		`{"text":"CREATE USER ann WITH PASSWORD '$'"}`, `{"text":"ALTER USER 'ann'@'%' IDENTIFIED BY '$'"}`, `{"text":"SET PASSWORD FOR 'ann' = PASSWORD('$')"}`,
		`{"text":"The password is $, please log in."}`, `{"text":"Das Passwort lautet $"}`, `{"text":"use the passphrase \"$\" for it"}`,
		`{"text":"a: 1\npassword: |\n  $\nb: 2\n"}`, `{"text":"auth:\n  client_secret: >-\n    $\n    more\n  x: 1"}`, `{"text":"token: |2\r\n    $\r\nb: 2"}`,
		`{"text":"password = \"\"\"$\"\"\"\n"}`, `{"text":"var clientSecret = @\"$\";"}`,
		`{"text":"<add key=\"ApiSecret\" value=\"$\"/>"}`, `{"text":"env:\n- name: DB_PASSWORD\n  value: $\n"}`, `{"text":"ParameterKey=DBPassword,ParameterValue=$"}`,
		`{"parameters":[{"ParameterKey":"DBPassword","ParameterValue":"$"}]}`, `{"headers":["Accept","text/html","X-Api-Key","$"]}`,
		`{"kind":"Secret","stringData":{"value":"$"}}`, `{"kind":"Secret","data":{"value":"$"}}`, `{"SAMLResponse":"$"}`,
	}
	r := seeded.Rand()
	const letters = "abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789"
	for _, shape := range shapes {
		for range 100 {
			secret := []byte("k7Q")
			for range 9 + r.IntN(30) {
				secret = append(secret, letters[r.IntN(len(letters))])
			}
			given := strings.ReplaceAll(shape, "$", string(secret))
			raw, err := json.Marshal(redact.Arguments(json.RawMessage(given), nil))
			require.NoError(t, err)
			assert.NotContains(t, string(raw), string(secret), given)
			assert.Contains(t, string(raw), "[masked]", given)
		}
	}
}

// TestMask_Sentences checks that words after the name of a password stay.
func TestMask_Sentences(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"the password is wrong", "password reset for user Ann42", "PASSWORD 'required'", "the password \"must not be empty\"", "password (at least 8 characters)",
		"identified by its number", "notes: |\n  the password is fine\n", "name: color\nvalue: dark-blue-42", "key=theme, value=Dark2Mode", "password: |", "kennwort",
		`["Accept","text/html","Author","Ann4Lee9Xy"]`,
	} {
		assert.Equal(t, text, redact.Mask(text))
	}
}
