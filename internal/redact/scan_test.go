package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
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

func TestMask(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"AWS_SECRET_ACCESS_KEY=wJalr &x":                          "AWS_SECRET_ACCESS_KEY=[masked]",
		"export DB_PASSWORD='a b'; run":                           "export DB_PASSWORD='[masked]'; run",
		"mysql --host db --password hunter2 orders":               "mysql --host db --password [masked] orders",
		"psql --password=hunter2 orders":                          "psql --password=[masked] orders",
		"curl -u ann:hunter2 https://example.com/x":               "curl -u ann:[masked] https://example.com/x",
		`curl -H "Authorization: Bearer hunter2hunter2" http://x`: `curl -H "Authorization: [masked]" http://x`,
		"Cookie: sid=1; theme=dark\nAccept: */*":                  "Cookie: [masked]\nAccept: */*",
		"grant_type=password&username=ann&password=c%20d&x=1":     "grant_type=password&username=ann&password=[masked]&x=1",
		`{"user":"ann","password":"hun,ter 2","n":1}`:             `{"user":"ann","password":"[masked]","n":1}`,
		`{\"user\":\"ann\",\"password\":\"hunter2\",\"n\":1}`:     `{\"user\":\"ann\",\"password\":\"[masked]\",\"n\":1}`,
		"postgres://ann:hunter2@db:5432/x?sslmode=off":            "postgres://ann:[masked]@db:5432/x?sslmode=off",
		"Server=db;User Id=sa;Password=hun$ter2;Encrypt=yes":      "Server=db;User Id=sa;Password=[masked];Encrypt=yes",
		"host=db user=ann password=hunter2 dbname=x":              "host=db user=ann password=[masked] dbname=x",
		"root:hunter2@tcp(10.0.0.1:3306)/orders":                  "root:[masked]@tcp(10.0.0.1:3306)/orders",
		"https://x.org/a?page=2&api_key=abc&sort=asc#top":         "https://x.org/a?page=2&api_key=[masked]&sort=asc#top",
		"https://hooks.slack.com/services/T0/B0/abc is down":      "https://hooks.slack.com/services/[masked] is down",
		"password: swordfish\nuser: ann":                          "password: [masked]\nuser: ann",
		"<password>hunter2</password>":                            "<password>[masked]</password>",
		"password: must be at least 8 characters":                 "password: must be at least 8 characters",
		"password: required":                                      "password: required",
		"use basic authentication":                                "use basic authentication",
		"at 10:30, see note: 5 of 7 (a=b) or c -> d":              "at 10:30, see note: 5 of 7 (a=b) or c -> d",
		"mailto:ann@example.com":                                  "mailto:ann@example.com",
		"cache_key=user-42-profile":                               "cache_key=user-42-profile",
		"test_user_can_login_with_valid_credentials_and_mail_12":  "test_user_can_login_with_valid_credentials_and_mail_12",
		"": "",
	} {
		assert.Equal(t, want, redact.Mask(text))
	}
}

// TestMask_Programs masks the passwords of command lines: after a flag, attached to it, or in its
// value. The same letters are no password flags of other programs.
func TestMask_Programs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mysql -u root -phunter2! orders":                     "mysql -u root -p[masked] orders",
		"mysql -uroot -p'hunter 2' orders":                    "mysql -uroot -p'[masked]' orders",
		`kubectl exec db -- mysql.exe -p"hunter2" x`:          `kubectl exec db -- mysql.exe -p"[masked]" x`,
		"sudo /usr/bin/mysqldump \\\n  -phunter2 \\\n  --all": "sudo /usr/bin/mysqldump \\\n  -p[masked] \\\n  --all",
		`{"command":"sh -c 'mariadb -phunter2 x'","n":1}`:     `{"command":"sh -c 'mariadb -p[masked] x'","n":1}`,
		"sshpass -p hunter2 ssh -p 22 ann@h":                  "sshpass -p [masked] ssh -p 22 ann@h",
		"sshpass -phunter2 scp -P 22 a ann@h:b":               "sshpass -p[masked] scp -P 22 a ann@h:b",
		"redis-cli -h r -a hunter2 ping":                      "redis-cli -h r -a [masked] ping",
		"smbclient //h/s -U ann%hunter2 -c ls":                "smbclient //h/s -U ann%[masked] -c ls",
		"smbclient //h/s -U ann -c ls":                        "smbclient //h/s -U ann -c ls",
		"ldapsearch -x -D cn=admin -w hunter2 -b dc=x":        "ldapsearch -x -D cn=admin -w [masked] -b dc=x",
		"ldapsearch -s sub; ldappasswd -s hunter2":            "ldapsearch -s sub; ldappasswd -s [masked]",
		"openssl rsa -keyform PEM -passin pass:hunter2 -in x": "openssl rsa -keyform PEM -passin [masked] -in x",
		"zip -P hunter2 a.zip b && 7z x -phunter2 c.7z":       "zip -P [masked] a.zip b && 7z x -p[masked] c.7z",
		"rar a -hphunter2 x.rar":                              "rar a -hp[masked] x.rar",
		"lftp -u ann,hunter2 ftp://h":                         "lftp -u ann,[masked] ftp://h",
		"curl -uann:hunter2 -b 'sid=1' -b jar.txt http://x":   "curl -uann:[masked] -b '[masked]' -b jar.txt http://x",
		"docker login -u ann -p hunter2 reg":                  "docker login -u ann -p [masked] reg",
		"docker run -p 8080:80 mysql:8":                       "docker run -p 8080:80 mysql:8",
		"docker exec db mysql -phunter2 -e 'select 1'":        "docker exec db mysql -p[masked] -e 'select 1'",
		"mysql -e 'select 1'; mkdir -p a":                     "mysql -e 'select 1'; mkdir -p a",
		"the mysql -p flag; use mysql -p, or mysql -p":        "the mysql -p flag; use mysql -p, or mysql -p",
		"mysql orders\r\nmkdir -p a":                          "mysql orders\r\nmkdir -p a",
		"mysql \\\r\n -phunter2":                              "mysql \\\r\n -p[masked]",
		"curl https://example.com/x -b sid=1":                 "curl https://example.com/x -b [masked]",
		"http -a ann:hunter2 example.com/x":                   "http -a ann:[masked] example.com/x",
		"psql -p 5432 orders":                                 "psql -p 5432 orders",
	} {
		assert.Equal(t, want, redact.Mask(text))
	}
}

// TestMask_Addresses masks secret paths with and without a scheme. Hexadecimal digits alone may
// be a commit.
func TestMask_Addresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hooks.slack.com/services/T0/B0/abc is down":              "hooks.slack.com/services/[masked] is down",
		"POST discord.com/api/webhooks/123/abc-DEF.":              "POST discord.com/api/webhooks/[masked].",
		"https://ptb.discord.com:443/api/v10/webhooks/123/x?w=1":  "https://ptb.discord.com:443/api/v10/webhooks/[masked]",
		"see discord.com/api/v10/users/123":                       "see discord.com/api/v10/users/123",
		"acme.webhook.office.com/webhookb2/a@b/IncomingWebhook/c": "acme.webhook.office.com/[masked]",
		"maker.ifttt.com/trigger/door/with/key/abc":               "maker.ifttt.com/trigger/door/with/key/[masked]",
		"https://ann:pw@hooks.slack.com/services/T0":              "https://ann:[masked]@hooks.slack.com/services/[masked]",
		"GET /bot123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-ab/x": "GET /bot[masked]/x",
		"api.telegram.org/bot123456789:short/getMe":               "api.telegram.org/bot[masked]",
		"bottom bot12 bot123456789 robots.txt:3":                  "bottom bot12 bot123456789 robots.txt:3",
		"commit da39a3ee5e6b4b0d3255bfef95601890afd80709":         "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"npm_token=da39a3ee5e6b4b0d3255bfef95601890afd80709":      "npm_token=[masked]",
		"snyk: da39a3ee5e6b4b0d3255bfef95601890afd80709":          "snyk: [masked]",
	} {
		assert.Equal(t, want, redact.Mask(text))
	}
}

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func random(r *rand.Rand, n int, letters string) string {
	var b strings.Builder
	for range n {
		b.WriteByte(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// nameOf returns the name of a secret in one of the spellings of programs.
func nameOf(r *rand.Rand) string {
	words := strings.Fields([]string{
		"password", "passwd", "secret", "token", "api key", "access key", "private key", "client secret", "auth token", "signing key", "credential", "pin", "otp",
	}[r.IntN(13)])
	if r.IntN(2) == 0 {
		words = append([]string{random(r, 2+r.IntN(8), alphabet[:26])}, words...)
	}
	switch r.IntN(5) {
	case 0:
		return strings.Join(words, "_")
	case 1:
		return strings.ToUpper(strings.Join(words, "_"))
	case 2:
		return strings.Join(words, "-")
	case 3:
		return strings.Join(words, ".")
	}
	for i, word := range words {
		if i > 0 {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// shapes are the forms of secrets in arguments, made of a name and a value.
var shapes = map[string]func(name, value string) any{
	"variable": func(n, v string) any {
		return []string{"HOME=/root", strings.NewReplacer("-", "_", ".", "_").Replace(n) + "=" + v}
	},
	"flag":        func(n, v string) any { return "run --verbose --" + n + " " + v + " now" },
	"flag equals": func(n, v string) any { return "run --" + n + "=" + v + " now" },
	"flags":       func(n, v string) any { return []string{"run", "--" + n, v, "now"} },
	"attached":    func(_, v string) any { return "mysql -h db -uroot -p" + v + " orders" },
	"program":     func(_, v string) any { return "sshpass -p '" + v + "!' ssh -p 22 ann@h" },
	"programs":    func(_, v string) any { return []string{"/usr/bin/ldapsearch", "-x", "-w", v} },
	"members": func(_, v string) any {
		return map[string]any{"command": "mysql", "args": []string{"-u", "root", "-p" + v}}
	},
	"in value":    func(_, v string) any { return []string{"smbclient", "//h/s", "-U", "ann%" + v} },
	"webhook":     func(_, v string) any { return "hooks.slack.com/services/T0/" + v },
	"bot":         func(_, v string) any { return "GET /bot123456789:A" + v + v + v + "/getMe" },
	"user":        func(_, v string) any { return "curl -sS -u ann:" + v + " https://example.com" },
	"users":       func(_, v string) any { return []string{"curl", "--user", "ann:" + v, "https://example.com"} },
	"bearer":      func(_, v string) any { return `curl -H "Authorization: Bearer ` + v + `" https://example.com` },
	"header":      func(n, v string) any { return "curl -H 'X-" + n + ": " + v + "' https://example.com" },
	"headers":     func(n, v string) any { return []any{map[string]any{"name": "X-" + n, "value": v}} },
	"header pair": func(n, v string) any { return [][]string{{"X-" + n, v}} },
	"basic": func(_, v string) any {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("ann:"+v))
	},
	"cookie":        func(_, v string) any { return "GET / HTTP/1.1\r\nCookie: theme=dark; s=" + v + "\r\nAccept: */*" },
	"form":          func(n, v string) any { return "a=b&" + n + "=" + v + "&c=d" },
	"query":         func(n, v string) any { return "https://example.com/x?page=2&" + n + "=" + v + "&sort=asc" },
	"json":          func(n, v string) any { return fmt.Sprintf(`{"page":2,%q:%q}`, n, v) },
	"json in json":  func(n, v string) any { return fmt.Sprintf("%q", fmt.Sprintf(`{"page":2,%q:{"v":[%q]}}`, n, v)) },
	"json in prose": func(n, v string) any { return fmt.Sprintf(`send {"page":2,%q:%q} to it`, n, v) },
	"pairs in json": func(n, v string) any { return fmt.Sprintf(`[{"key":%q,"value":%q}]`, n, v) },
	"yaml":          func(n, v string) any { return "page: 2\n" + n + ": " + v + "\nsort: asc" },
	"ini":           func(n, v string) any { return "[db]\n" + n + " = " + v + "\nsort = asc" },
	"xml":           func(_, v string) any { return "<db><password>" + v + "</password></db>" },
	"pem": func(_, v string) any {
		return "-----BEGIN RSA PRIVATE KEY-----\n" + v + "\n" + v + "\n-----END RSA PRIVATE KEY-----"
	},
	"jwt": func(_, v string) any {
		return "see eyJhbGciOiJIUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+v+`"}`)) + "." + v
	},
	"url":    func(_, v string) any { return "postgres://ann:" + url.QueryEscape(v) + "@db:5432/orders?sslmode=off" },
	"dsn":    func(_, v string) any { return "host=db user=ann password=" + v + " dbname=orders" },
	"ado":    func(_, v string) any { return "Server=db;User Id=sa;Password=" + v + ";Encrypt=yes" },
	"go dsn": func(_, v string) any { return "root:" + v + "@tcp(db:3306)/orders" },
	"github": func(_, v string) any { return "clone with ghp_" + v + v + ", please" },
	"slack":  func(_, v string) any { return map[string]any{"text": "xoxb-123456789012-" + v} },
	"aws":    func(_, v string) any { return "AKIA" + strings.ToUpper(v) + "ABCD is the key" },
	"openai": func(_, v string) any { return []string{"sk-proj-" + v} },
	"google": func(_, v string) any { return "AIza" + v + v + v },
	"gitlab": func(_, v string) any { return "glpat-" + v + v },
	"code":   func(n, v string) any { return fmt.Sprintf("os.Setenv(%q, %q)", n, v) },
	"go":     func(_, v string) any { return "password := \"" + v + "\"" },
	"nested": func(n, v string) any { return map[string]any{n: map[string]any{"a": []string{v}}} },
	"random": func(_, v string) any { return map[string]any{"partner_key": v + "7Gq" + v} },
}

// No planted secret, of any name and value, is in the reported arguments.
func TestArguments_Planted(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	planted, survived := 0, map[string]int{}
	for range 300 {
		for shape, of := range seeded.Sorted(shapes) {
			value := random(r, 10+r.IntN(6), alphabet) + "4Kz9"
			arguments := map[string]any{"x": of(nameOf(r), value), "page": 2}
			raw, err := json.Marshal(redact.Arguments(arguments, nil))
			require.NoError(t, err)
			planted++
			if strings.Contains(strings.ToLower(string(raw)), strings.ToLower(value)) {
				if survived[shape]++; survived[shape] == 1 {
					t.Errorf("%s: %v became %s", shape, arguments, raw)
				}
			}
			assert.Equal(t, "2", fmt.Sprint(redact.Arguments(arguments, nil)["page"]))
		}
	}
	t.Logf("planted %d, survived %v", planted, survived)
}

// The work is linear: ten times the text takes about ten times the work.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"password=x", "-u=-u=-u=", "sk-sk-sk-", "eyJ-eyJ-", "key=key=key=", `{"token":["`, "https://a:b@c?d=e", "a:b@c:1", "-----BEGIN PRIVATE KEY-----"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, span := range redact.Find(text) {
			require.True(t, span.From >= last && span.From < span.To && span.To <= len(text), "%v", span)
			last = span.To
		}
		_ = redact.Arguments(map[string]any{text: text, "list": []string{text, text}}, nil)
	})
}

// BenchmarkMask measures the cost per byte. The repeated texts would be slow for a
// quadratic reader.
func BenchmarkMask(b *testing.B) {
	for name, text := range map[string]string{
		"prose": "open /srv/data/orders.db: no such file or directory, after 3 attempts (code 14): the store is closed. ",
		"flags": "-u=", "weak": "sk-", "jwt": "eyJ-", "key": "key=", "colon": "a:", "at": "a@b:1", "url": "https://", "quote": `"token":[`, "pem": "-----BEGIN ",
		"comma": `"x","y",`, "basic": "basic ", "amp": "a=b&", "slash": `\"`, "a": "a", "space": " ",
	} {
		for _, size := range []int{4 << 10, 256 << 10} {
			long := strings.Repeat(text, size/len(text))
			b.Run(fmt.Sprint(name, "/", size), func(b *testing.B) {
				b.SetBytes(int64(len(long)))
				for b.Loop() {
					redact.Mask(long)
				}
			})
		}
	}
}
