package redact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// beside a name
		"AWS_SECRET_ACCESS_KEY=wJalr &x":                       "AWS_SECRET_ACCESS_KEY=[masked] &x",
		"export DB_PASSWORD='a b'; run":                        "export DB_PASSWORD='[masked]'; run",
		`The password: "hunter2-secret" is wrong`:              `The password: "[masked]" is wrong`,
		"mysql --host db --password hunter2 orders":            "mysql --host db --password [masked] orders",
		"psql --password=hunter2 orders":                       "psql --password=[masked] orders",
		"grant_type=password&user=ann&password=c%20d&code=1":   "grant_type=password&user=ann&password=[masked]&code=[masked]",
		`{"user":"ann","password":"hun,ter \"2","n":1}`:        `{"user":"ann","password":"[masked]","n":1}`,
		`{\"user\":\"ann\",\"api_key\":\"hunter2\",\"n\":1}`:   `{\"user\":\"ann\",\"api_key\":\"[masked]\",\"n\":1}`,
		`{"pin":1234,"tokens":["a","b"],"max_tokens":4096}`:    `{"pin":[masked],"tokens":[masked],"max_tokens":4096}`,
		"Server=db;User Id=sa;Password=hun$ter2;Encrypt=yes":   "Server=db;User Id=sa;Password=[masked];Encrypt=yes",
		"password: swordfish\nuser: ann":                       "password: [masked]\nuser: ann",
		"partner_key=7GqK4Kz9xY2mBv8d, cache_key=user-42-a":    "partner_key=[masked], cache_key=user-42-a",
		"userPin: 4711, spinner: 4711":                         "userPin: 4711, spinner: 4711", // too short in a sentence
		"пароль: hunter2-x":                                    "пароль: [masked]",
		"Cookie: sid=1; theme=dark\nAccept: */*":               "Cookie: [masked]\nAccept: */*",
		"Authorization: Bearer abc.def-ghi12 was refused":      "Authorization: [masked] was refused",
		`curl -H "Authorization: Basic YW5uOmh1bnRlcjI=" x`:    `curl -H "Authorization: [masked]" x`,
		"Authorization: Digest username=\"a\", response=\"b\"": "Authorization: [masked]",
		"https://x.org/a?page=2&key=abc&sort=asc#top":          "https://x.org/a?page=2&key=[masked]&sort=asc#top",
		// by form
		"sent bearer abcDEF123456. Stop":                                              "sent [masked]. Stop",
		"Incorrect API key provided: sk-live-abcdef1234.":                             "Incorrect API key provided: [masked].",
		"ghp_0123456789abcdefghij is not valid":                                       "[masked] is not valid",
		"https://hooks.slack.com/services/T0/B0/abc is down":                          "https://[masked] is down",
		"see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2lnbmF0dXJl!":                         "see [masked]!",
		"postgres://ann:hun/ter2@db:5432/x?sslmode=off":                               "postgres://ann:[masked]@db:5432/x?sslmode=off",
		"https://tokentoken@api.example/x":                                            "https://[masked]@api.example/x",
		"root:hunter2@tcp(10.0.0.1:3306)/orders":                                      "root:[masked]@tcp(10.0.0.1:3306)/orders",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- is bad": "[masked] is bad",
		// nothing
		"token=[masked], https://ann:[masked]@db/x":              "token=[masked], https://ann:[masked]@db/x",
		`There is no order 4711111111111111 of "CUS-10001"`:      `There is no order 4711111111111111 of "CUS-10001"`,
		"Must have admin rights; the secret was not found":       "Must have admin rights; the secret was not found",
		"Unexpected token: } in JSON, token := next(x)":          "Unexpected token: } in JSON, token := next(x)",
		"password: must be at least 8 characters":                "password: must be at least 8 characters",
		`Bearer error="invalid_token", "hasPassword": true`:      `Bearer error="invalid_token", "hasPassword": true`,
		"use basic authentication, or the --token flag":          "use basic authentication, or the --token flag",
		"at 10:30, see note: 5 of 7 (a=b) or c -> d":             "at 10:30, see note: 5 of 7 (a=b) or c -> d",
		"mailto:ann@example.com, ann@example.com:25":             "mailto:ann@example.com, ann@example.com:25",
		"commit da39a3ee5e6b4b0d3255bfef95601890afd80709":        "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"dial tcp 10.0.0.1:5432: connect: connection refused":    "dial tcp 10.0.0.1:5432: connect: connection refused",
		"test_user_can_login_with_valid_credentials_and_mail_12": "test_user_can_login_with_valid_credentials_and_mail_12",
		"": "",
	} {
		assert.Equal(t, want, redact.Mask(text))
	}
}

// TestArguments checks which arguments are shown: scalars, without secrets.
func TestArguments(t *testing.T) {
	t.Parallel()
	type typed struct {
		Query string `json:"query"`
		Token string `json:"token"`
	}
	object := func(text string) (m map[string]any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		require.NoError(t, d.Decode(&m))
		return m
	}
	for name, test := range map[string]struct {
		arguments any
		want      string
	}{
		"scalars":     {object(`{"q":"go","id":9007199254740993,"all":true,"has_password":true,"none":null}`), `{"q":"go","id":9007199254740993,"all":true,"has_password":true,"none":null}`},
		"nested":      {object(`{"q":"go","list":["hunter2"],"object":{"a":1}}`), `{"q":"go"}`},
		"names":       {object(`{"apiKey":"x","pin":1,"max_tokens":5,"extra":"x"}`), `{"apiKey":"[masked]","pin":"[masked]","max_tokens":5,"extra":"[masked]"}`},
		"a name":      {object(`{"ghp_0123456789abcdefghij":1}`), `{"[masked]":1}`},
		"texts":       {object(`{"q":"password=hunter2"}`), `{"q":"password=[masked]"}`},
		"JSON":        {object(`{"q":" {\"a\":[{\"token\":{\"v\":{},\"w\":\"x\"}},{\"max_tokens\":9}],\"n\":1.50}"}`), `{"q":" {\"a\":[{\"token\":[masked]},{\"max_tokens\":9}],\"n\":1.50}"}`},
		"JSON, plain": {object(`{"q":"{ \"a\": 1 }"}`), `{"q":"{ \"a\": 1 }"}`},
		"typed":       {typed{"go", "x"}, `{"query":"go","token":"[masked]"}`},
		"raw":         {json.RawMessage(`{"q":"go"}`), `{"q":"go"}`},
		"not encoded": {map[string]any{"q": "go", "f": func() {}}, `{"q":"go"}`},
		"a list":      {[]int{1}, `null`},
		"nothing":     {nil, `null`},
		"a channel":   {make(chan int), `null`},
	} {
		got, err := json.Marshal(redact.Arguments(test.arguments, func(name string) bool { return name == "extra" }))
		require.NoError(t, err)
		assert.JSONEq(t, test.want, string(got), name)
	}
}

// TestFind_Work checks that hostile texts of a megabyte take no more than linear work.
func TestFind_Work(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for _, part := range []string{
		"=", ":", "a=", "a:\\\"", "token=[", "key=[", "a://", "x@a/", "-----BEGIN PRIVATE KEY-", "-", "--a ", "sk-", "ey.ey", "bearer ", "cookie", "\\", "key='", "a b c d=", "\xff", "?key=", "a&b",
	} {
		start := time.Now()
		redact.Mask(strings.Repeat(part, size/len(part)))
		assert.Less(t, time.Since(start), 3*time.Second, part)
	}
}

// FuzzFind checks that spans are in order and in the text, that masked text stays as it is, and
// that a secret beside a name never survives.
func FuzzFind(f *testing.F) {
	for _, text := range []string{"password=hunter2", `{"token":"a`, "a://b:c@", "-----BEGIN PRIVATE KEY-----", "Authorization: Digest a=\"", "x:y@(", "<pin>", "\\\"a\\\":\\\"", "ghp_"} {
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
		redact.Arguments(map[string]any{text: text}, nil)
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
	names := strings.Fields("password dbPasswd client_secret X-Auth-Token apiKey APIKEY aws.access-key privateKey login_otp userPIN signingKeys")
	for range 200 {
		name, secret := names[r.IntN(len(names))], []byte("4Kz9")
		for range 8 + r.IntN(8) {
			secret = append(secret, alphabet[r.IntN(len(alphabet))])
		}
		v := string(secret)
		for _, text := range []string{
			name + "=" + v, "a=b&" + name + "=" + v + "&c=d", "--" + name + " " + v, "--" + name + "=" + v + " x", `{"n":2,"` + name + `":"` + v + `"}`, `{\"` + name + `\": \"` + v + `\"}`,
			name + " := \"" + v + "\"", "[db]\n" + name + " = " + v + "\n", "the " + name + ": " + v + " is wrong", name + "='" + v + "';",
			"https://x.org/?" + name + "=" + v, "amqp://ann:" + v + "@db", "https://ghp_" + v + "4Kz9@x.org",
		} {
			assert.NotContains(t, redact.Mask(text), v)
		}
	}
}

func BenchmarkMask(b *testing.B) {
	sentence := "dial db.internal:5432: the order ORD-2024-77 of CUS-10001 is closed. "
	for name, text := range map[string]string{"60 B": sentence[:60], "1 KB": strings.Repeat(sentence, 15), "2 KB": strings.Repeat(sentence, 30)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				redact.Mask(text)
			}
		})
	}
}
