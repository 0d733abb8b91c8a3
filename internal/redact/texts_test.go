package redact_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
)

func removed(texts redact.Texts, text string) string {
	parts := []string{text}
	texts.Remove(parts)
	return parts[0]
}

func TestTexts_Remove(t *testing.T) {
	t.Parallel()
	texts := redact.Texts{
		Arguments: []byte(`{"mail":"ann@example.com","card":4111111111111111,"mode":"perm","list":[{"n":"two\nlines","x":1}],"secret-name":true,"pw":"!§$%&/(","a":"first-value","a":"other-value",` +
			`"doc":"SELECT total FROM orders WHERE customer = 'CUS-10001' AND state = 'open'","ru":"секретное слово"}`),
		IsName: func(name string, _ int) bool { return len(name) <= 4 }, Key: "key-1",
	}
	for text, want := range map[string]string{
		"no user ann@example.com":                   "no user [argument]",
		`no user "two\nlines"`:                      `no user "[argument]"`,
		"two\nlines of 4111111111111111":            "[argument] of [argument]",
		"of 4.111111111111111e+15, or so":           "of [argument]e+15, or so",
		"xann@example.comx, secret-name and key-1":  "x[argument]x, [argument] and [argument]",
		"perm: permission denied, x of 1, the mail": "[argument]: permission denied, x of 1, the mail",
		"xperms": "x[argument]s",
		"no user ann%40example.com, ANN@Example.com":    "no user [argument], [argument]",
		"not !§$%&/( nor !\\u00a7$%\\u0026\\/(":         "not [argument] nor [argument]",
		"first-value or other-value":                    "[argument] or [argument]",
		"near \"WHERE customer = 'CUS-10001'\": syntax": "near \"[argument]'\": syntax",
		"no user \"ann@exa...\", really":                "no user \"[argument]...\", really",
		"no user \"…mple.com\", really":                 "no user \"…[argument]\", really",
		"no user ann@exampl":                            "no user [argument]",
		"нет: секретное слово":                          "нет: [argument]",
		`no \u0441\u0435\u043a\u0440\u0435\u0442\u043d\u043e\u0435 \u0441\u043b\u043e\u0432\u043e`: "no [argument]",
		"": "",
	} {
		assert.Equal(t, want, removed(texts, text))
	}
	assert.Equal(t, "secret-name", removed(redact.Texts{Arguments: []byte(`{"secret-name":1}`)}, "secret-name"))
	assert.Equal(t, "it is [argument]", removed(redact.Texts{Arguments: []byte("no JSON")}, "it is no JSON"))
}

// An escape in upper case is the same escape.
func TestTexts_FoldedEscapes(t *testing.T) {
	t.Parallel()
	for _, argument := range []string{`bnyn4339\x14L8vSkf6EMZ`, `bnyn4339\u00e9L8vSkf6EMZ`, `bnyn4339\u00e9zzL8vSkf6`} {
		texts := redact.Texts{Arguments: []byte(`{"v":"` + argument + `"}`)}
		assert.Equal(t, "IT: [argument]", removed(texts, "IT: "+strings.ToUpper(argument)), argument)
	}
}

// However many texts a call brings, the work is bounded: nothing is logged rather than
// something left in.
func TestTexts_TooMany(t *testing.T) {
	t.Parallel()
	for n, kept := range map[int]bool{5000: true, 70_000: false} {
		var items []string
		for i := range n {
			items = append(items, strconv.Quote("it "+strconv.Itoa(10_000+i)))
		}
		parts := []string{"the cause is it 10007, and more", "", "x"}
		redact.Texts{Arguments: []byte("[" + strings.Join(items, ",") + "]")}.Remove(parts)
		assert.NotContains(t, parts[0], "10007")
		assert.Empty(t, parts[1])
		assert.Equal(t, kept, strings.HasPrefix(parts[0], "the cause is [argument]"), parts)
	}
}

// quotings are the ways in which errors quote arguments.
var quotings = map[string]func(string) string{
	"plain":   func(s string) string { return s },
	"quoted":  func(s string) string { return fmt.Sprintf("%q", s) },
	"ascii":   func(s string) string { return fmt.Sprintf("%+q", s) },
	"twice":   func(s string) string { return fmt.Sprintf("%q", fmt.Sprintf("%q", s)) },
	"json":    func(s string) string { raw, _ := json.Marshal(map[string]string{"v": s}); return string(raw) },
	"query":   url.QueryEscape,
	"path":    url.PathEscape,
	"html":    html.EscapeString,
	"upper":   strings.ToUpper,
	"in word": func(s string) string { return "x" + s + "y" },
	"url":     func(s string) string { return "https://example.com/x?q=" + url.QueryEscape(s) + "&n=1" },
	"fields":  func(s string) string { return strings.Join(strings.Fields(s), " ") },
	"trimmed": strings.TrimSpace,
}

// spices are the special parts of planted values.
var spices = []string{"", " ", "-", "\u200b", "\x1b[31m", "https://h.example/", "\n", "é", "日", "/", "'", `"`, `\`, "&", "%", "<", "@"}

// No argument is in a record, regardless of its length, its content and how it is quoted.
func TestTexts_Planted(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	planted := 0
	for round := range 400 {
		for how, quote := range seeded.Sorted(quotings) {
			head, tail := random(r, 4, alphabet[:26])+strconv.Itoa(1000+r.IntN(9000)), random(r, 8+r.IntN(8), alphabet)
			value := head + spices[r.IntN(len(spices))] + tail
			switch round % 8 {
			case 0: // longer than a record
				value = strings.Repeat(value+" ", 200)
			case 1: // short
				value = random(r, 5+r.IntN(3), "bdfghjkqvwxz")
				head, tail = value, value
			}
			raw, err := json.Marshal(map[string]any{"v": value, "n": []int{r.Int()}})
			require.NoError(t, err)
			text := removed(redact.Texts{Arguments: raw}, "no such thing: "+quote(value)+" (code 14)")
			planted++
			for _, part := range []string{head, tail} {
				require.NotContains(t, strings.ToLower(text), strings.ToLower(part), "%s of %.80q: %.200s", how, value, text)
			}
			require.True(t, strings.HasPrefix(text, "no such th"), text)
		}
	}
	t.Logf("planted %d, survived 0", planted)
}

func FuzzTexts(f *testing.F) {
	f.Add(`{"a":"ann@example.com","b":[12345]}`, "no user ann@example.com of 12345…")
	f.Add(`"\u00`, `\\\x4\u00%a`)
	f.Fuzz(func(t *testing.T, arguments, text string) {
		parts := []string{text, text, ""}
		redact.Texts{Arguments: []byte(arguments), Key: "key-1234"}.Remove(parts)
		assert.Equal(t, parts[0], parts[1])
		var value string
		if json.Unmarshal([]byte(arguments), &value) == nil && len(value) >= 4 && len(value) < 4096 && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == "" {
			assert.NotContains(t, removed(redact.Texts{Arguments: []byte(arguments)}, "it "+value+" is"), "it "+value)
		}
	})
}

func BenchmarkTexts(b *testing.B) {
	small := []byte(`{"customer":"CUS-10001","order":"ORD-2024-77","limit":10}`)
	large := []byte(`{"list":[` + strings.Repeat(`"item number 12345 of many",`, 40_000) + `1]}`)
	for name, test := range map[string]struct {
		arguments []byte
		text      string
	}{
		"60 B":             {small, "the order ORD-2024-77 of CUS-10001 is closed since 10 o'clock"},
		"1 KB":             {small, strings.Repeat("the order ORD-2024-77 of CUS-10001 is closed. ", 22)},
		"4 KB":             {small, strings.Repeat("the order ORD-2024-77 of CUS-10001 is closed. ", 90)},
		"60 B, 1 MB given": {large, "the order ORD-2024-77 of CUS-10001 is closed since 10 o'clock"},
		"4 KB, 1 MB given": {large, strings.Repeat("the order ORD-2024-77 of CUS-10001 is closed. ", 90)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parts := []string{"The tool failed.", "", test.text}
				redact.Texts{Arguments: test.arguments}.Remove(parts)
			}
		})
	}
}
