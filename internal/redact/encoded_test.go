package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
)

// TestTexts_Encoded checks arguments in the forms in which errors print bytes.
func TestTexts_Encoded(t *testing.T) { //nolint:gocognit // one loop for each dimension
	t.Parallel()
	r := seeded.Rand()
	alphabets := []string{"abcdefghkmnpqrstuvwxyzABCDEFGH23456789", "0123456789", "éüößñåç", "東京都大阪府北海道", "😀😁😂🤣😃😄🐧", "𝐚𝐛𝐜𝐝𐌰𐌱𠀀𠀁", "ابتثجحخ", "a1 b2-c3_d4/e5+f6"}
	forms := map[string]func(s string) string{
		"%x": func(s string) string { return fmt.Sprintf("%x", s) }, "%X": func(s string) string { return fmt.Sprintf("%X", s) },
		"% x": func(s string) string { return fmt.Sprintf("% x", s) }, "%#x": func(s string) string { return fmt.Sprintf("%#x", s) },
		"% #x": func(s string) string { return fmt.Sprintf("% #x", s) }, "%v": func(s string) string { return byteList(s) },
		"%#v":    func(s string) string { return fmt.Sprintf("%#v", []byte(s)) },
		"struct": func(s string) string { return fmt.Sprintf("%+v", struct{ Body []byte }{[]byte(s)}) },
		"list": func(s string) string {
			return strings.ReplaceAll(byteList(`{"v":"`+s+`"}`), " ", ",")
		},
		"base64":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"base64 URL": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("key=" + s)) },
		"in JSON": func(s string) string {
			raw, _ := json.Marshal(map[string]any{"body": []byte("x=" + s)})
			return string(raw)
		},
		"quoted":     func(s string) string { return strconv.QuoteToASCII(s) },
		"surrogates": func(s string) string { return escapedJSON(s) },
		"twice":      func(s string) string { return strings.ReplaceAll(escapedJSON(s), `\`, `\\`) },
		"plain":      func(s string) string { return s },
	}
	tried := 0
	for name, form := range seeded.Sorted(forms) {
		for _, alphabet := range alphabets {
			for range 40 {
				letters := []rune(alphabet)
				secret := make([]rune, 8+r.IntN(40))
				for i := range secret {
					secret[i] = letters[r.IntN(len(letters))]
				}
				value := strings.TrimSpace(string(secret))
				if strings.Contains(alphabet, "/") {
					value += "k7x9" // characters that quoting changes are not compared
				}
				for len(value) < 8 {
					value += "x7"
				}
				raw, err := json.Marshal(map[string]any{"v": value})
				require.NoError(t, err)
				if r.IntN(2) == 0 {
					raw = []byte(`{"v":` + escapedJSON(value) + `}`) // as Python encodes it
				}
				shown := strings.Trim(form(value), `"`)
				if strings.HasPrefix(name, "base64") && strings.Trim(shown[1:], "abcdefghijklmnopqrstuvwxyz=") == "" {
					continue // not distinguishable from a word
				}
				parts := []string{"other", "the service refused (" + shown + ") today"}
				redact.Texts{Arguments: raw}.Remove(parts)
				tried++
				assert.Equal(t, "other", parts[0])
				assert.NotContains(t, parts[1], shown, "%s of %q", name, value)
				assert.Contains(t, parts[1], "[argument]", "%s of %q", name, value)
				assert.Contains(t, parts[1], "the service refused", "%s of %q", name, value)
			}
		}
	}
	t.Logf("%d tried", tried)
}

// byteList returns a text as package fmt prints its bytes.
func byteList(s string) string {
	var list []int
	for i := range len(s) {
		list = append(list, int(s[i]))
	}
	return fmt.Sprint(list)
}

// escapedJSON returns s as JSON in ASCII.
func escapedJSON(s string) string {
	text := strconv.QuoteToASCII(s)
	for _, r := range s {
		if r > 0xffff {
			high, low := 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff
			text = strings.ReplaceAll(text, fmt.Sprintf(`\U%08x`, r), fmt.Sprintf(`\u%04x\u%04x`, high, low))
		}
	}
	return text
}

// Words, numbers and identifiers of errors that only look encoded stay.
func TestTexts_NotEncoded(t *testing.T) {
	t.Parallel()
	texts := redact.Texts{Arguments: []byte(`{"name":"internal server","id":"0123456789ab"}`)}
	for _, text := range []string{
		"InvalidArgument in UserRepository.findByName", "commit 1f2e3d4c5b6a7980, row 10 20 30 40 of 250", "0x7ffd3c2a1b00", "at 2026-07-31 10:11:12.131415",
		"[1 2 3 4 5 6 7 8]", "deadbeefdeadbeef", "QWxhZGRpbjpPcGVuU2VzYW1l", "",
	} {
		assert.Equal(t, text, removed(texts, text))
	}
}
