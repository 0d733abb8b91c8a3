package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

func TestMask_Positional(t *testing.T) {
	t.Parallel()
	masks(t, []string{
		"htpasswd -b /etc/nginx/.htpasswd ann «hunter2»", "htpasswd -nb ann «hunter2» && ls", "htpasswd -b -c file ann '«hunter2 x»'", "htpasswd -c file ann",
		"xfreerdp /u:ann /p:«hunter2» /v:host", "xfreerdp /v:host /p:'«P@ss w0rd»' /u:ann", "msbuild /p:Platform=x64", "cmd /p:release build",
		"ConvertTo-SecureString \"«hunter2»\" -AsPlainText -Force", "ConvertTo-SecureString -AsPlainText «hunter2» -Force", "$pw = ConvertTo-SecureString -String '«P@ss w0rd!»'",
		"ConvertTo-SecureString $text", "ConvertTo-SecureString is a cmdlet",
		"sqlplus scott/«tiger»@orcl", "sqlplus -s scott/«tiger»@//db:1521/orcl", "scott/«tiger»@//db", "docs/readme@v2", "actions/checkout@v4",
		"PASSWORD '«P@$$ w0rd!»'", "password 'must have 8 characters'", "IDENTIFIED WITH mysql_native_password BY '«hunter2»'", "identified by 2 users",
		"machine h login ann password «hunter2»", "login with password authentication", "requirepass «hunter2»",
	})
}

// TestMask_Repeated reads texts that repeat what begins a rule: the rules must not read more of
// the text than what they consume, or a fixed number of bytes.
func TestMask_Repeated(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		":", "\": ", "$a", "$a$", "$1$a$", "{SHA}", "{SHA}a", "{", "%3A%2F%2F", "%3D", "%25", "25", "a%3D", ":1", "a:1:b:", ":*", "*:*:*:*:", "htpasswd -b ", " -b", "x@//", "a/",
		"ConvertTo-SecureString ", "Private-Lines: ", "login a password ", "IDENTIFIED ", "xfreerdp /p:",
	} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		assert.LessOrEqual(t, len(redact.Mask(text)), 8*len(text), piece)
	}
}
