package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

// TestMask_Hashes has the secret of each text in «».
func TestMask_Hashes(t *testing.T) {
	t.Parallel()
	masks(t, []string{
		"ann:«$2y$05$abcdefghijklmnopqrstuuJ8xPzqkXJ0mYw9o3rj6z1uQYxQGv9yW»", "«$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW»",
		"root:«$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/»:18295:0:99999:7:::",
		"«$5$rounds=5000$usesomesillystri$KqJWpanXZHKq2BOB43TSaYhEWsQ1Lr5QNyPCDH/Tp.6»", "ann:«$apr1$lZL6V/ci$eIMz/iKDkbtys/uU7LEK00»",
		"root:«$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7»:19000", "«$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/»",
		"«$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b27gGXIBhIp3pxfxk2m5RQ0/K0»",
		"pbkdf2_sha256«$260000$abcdefghijkl$AbCdEf0123456789AbCdEf0123456789AbCdEf01234=»",
		"SCRAM-SHA-256$«4096:c2FsdHNhbHQ=$c3RvcmVka2V5c3RvcmVka2V5c3RvcmVka2V5:c2VydmVya2V5c2VydmVya2V5» x",
		"ann:«{SHA}fEqNCco3Yq9h5ZUglD3CZJT4lBs=»", "userPassword: «{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3»",
		"PuTTY-User-Key-File-3: «ssh-rsa»\nPrivate-Lines: 2«\nAAABAQCQl8pLaiqmZQxVnJ0TqGjQ3HxTqPw\nQw8vGPl2YQpFqg2bYDn3p4bW8Q7DYUdz\n»Private-MAC: 01",
		"*:*:*:postgres:«hunter2pw»", "# a\n10.0.0.5:5432:orders:svc:«p@ss!w0rd»\nb", "echo 'db:5432:orders:ann:«hunter2»' > f",
		"price $5$ and $6", "$HOME/$USER and $1$2", "/download/{SHA256}/name-of-a-longer-file.tar.gz", "$1$some-words-of-a-sentence-follow", "file.go:1234:10:error:miss1ng",
		"app.log:1234:INFO:root:started", "2026-07-31T10:00:00:000:abc", "host:5432:orders", "fe80:0:0:0:1", "arn:aws:iam::123456789012:role/Admin",
	})
}

func TestMask_EscapedURLs(t *testing.T) {
	t.Parallel()
	masks(t, []string{
		"https://h/?url=https%3A%2F%2Fann%3A«hunter2x»%40db.example%2Fx", "https://h/?u=https%253A%252F%252Fann%253A«hunter2x»%2540db.example",
		"postgres%3a%2f%2fann%3a«hunter2x»%40db%2forders", "https://h/?next=%2Fcb%3Faccess_token%3D«aB3dE6gH9jK2mN5p»%26a%3Db", "https://h/?n=%253Fpw%253D«aB3dE6»%2526a",
		"https://h/?u=https%3A%2F%2Fdb.example%3A443%2Fx%3Fa%3Db", "100%3D1", "50% = 25%", "%", "%25", "%3", "%3A%2F%2F",
	})
}

// masks compares texts, in which the secrets are in «», with what Mask returns.
func masks(t *testing.T, texts []string) {
	t.Helper()
	for _, marked := range texts {
		var want strings.Builder
		for i, part := range strings.Split(marked, "«") {
			_, rest, ok := strings.Cut(part, "»")
			if i == 0 || !ok {
				want.WriteString(part)
				continue
			}
			want.WriteString("[masked]" + rest)
		}
		assert.Equal(t, want.String(), redact.Mask(strings.NewReplacer("«", "", "»", "").Replace(marked)))
	}
}
