package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
)

func TestMask(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/mask.txt", redact.Mask)
}

// TestArguments checks which arguments are shown: scalars, without secrets.
func TestArguments(t *testing.T) {
	t.Parallel()
	type typed struct {
		Query string `json:"query"`
		Token string `json:"token"`
	}
	shown := func(arguments any) string {
		raw, err := json.Marshal(redact.Arguments(arguments))
		require.NoError(t, err)
		return string(raw)
	}
	testutil.Recorded(t, "testdata/arguments.txt", func(sample string) string {
		m, _ := jsonvalue.Object(sample)
		return shown(m)
	})
	for name, test := range map[string]struct {
		arguments any
		want      string
	}{
		"typed":       {typed{"go", "x"}, `{"query":"go","token":"[masked]"}`},
		"raw":         {json.RawMessage(`{"q":"go"}`), `{"q":"go"}`},
		"not encoded": {map[string]any{"q": "go", "f": func() {}, "p": struct{ json.Marshaler }{}}, `{"q":"go"}`},
		"a list":      {[]int{1}, `null`},
		"nothing":     {nil, `null`},
		"a channel":   {make(chan int), `null`},
	} {
		assert.JSONEq(t, test.want, shown(test.arguments), name)
	}
}

// FuzzFind checks that spans are in order and in the text, that masked text stays as it is, and
// that a secret beside a name never survives.
func FuzzFind(f *testing.F) {
	for _, text := range []string{
		"password=hunter2", `{"token":"a`, "a://b:c@", "-----BEGIN PRIVATE KEY-----",
		"Authorization: Digest a=\"", "x:y@(", "<pin>", "\\\"a\\\":\\\"", "ghp_",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, span := range redact.Find(text) {
			require.GreaterOrEqual(t, span.From, end)
			require.Greater(t, span.To, span.From)
			end = span.To
		}
		require.LessOrEqual(t, end, len(text))
		redact.Arguments(map[string]any{text: text})
		const secret = "hunter2-4Kz9xQ"
		if text = "\nDB_PASSWORD=" + secret + "\n" + text; strings.Count(text, secret) == 1 {
			assert.NotContains(t, redact.Mask(text), secret)
		}
	})
}

// TestMask_Planted plants secrets under names in the spellings of programs.
func TestMask_Planted(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	names := strings.Fields("password dbPasswd client_secret X-Auth-Token apiKey APIKEY aws.access-key privateKey " +
		"login_otp userPIN signingKeys")
	for range 200 {
		name, secret := names[r.IntN(len(names))], []byte("4Kz9")
		for range 8 + r.IntN(8) {
			secret = append(secret, alphabet[r.IntN(len(alphabet))])
		}
		v := string(secret)
		for _, text := range []string{
			name + "=" + v, "a=b&" + name + "=" + v + "&c=d", "--" + name + " " + v, "--" + name + "=" + v + " x",
			`{"n":2,"` + name + `":"` + v + `"}`, `{\"` + name + `\": \"` + v + `\"}`,
			name + " := \"" + v + "\"", "[db]\n" + name + " = " + v + "\n", "the " + name + ": " + v + " is wrong",
			name + "='" + v + "';",
			"https://x.org/?" + name + "=" + v, "amqp://ann:" + v + "@db", "https://ghp_" + v + "4Kz9@x.org",
		} {
			require.NotContains(t, redact.Mask(text), v, "Mask(%q)", text)
		}
	}
}
