package redact

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A form describes the credentials of an issuer that are recognizable: a prefix, followed
// by a minimum number of characters of a set.
type form struct {
	prefix string
	kind   charset
	least  int
	weak   bool // other words have this prefix too
}

// A charset is a set of characters.
type charset byte

const (
	word   charset = 'w' // letters, digits, _ and -
	dotted charset = 'd' // those and . + / =
	base64 charset = 'b' // word and + / =
	hex    charset = 'h' // hexadecimal digits
	upper  charset = 'u' // upper-case letters and digits
	lower  charset = 'l' // letters and digits
	lines  charset = 'n' // base64 in lines
)

var patterns = map[charset]string{
	word: `[\w-]`, dotted: `[\w.+/=-]`, base64: `[\w+/=-]`, hex: `[0-9A-Fa-f]`, upper: `[0-9A-Z]`, lower: `[0-9A-Za-z]`, lines: `[\w+/=\\\r\n-]`,
}

// has reports whether the set contains a character.
func (k charset) has(c byte) bool {
	isDigit, isUpper, isLower := c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z'
	switch k {
	case hex:
		return isDigit || c|0x20 >= 'a' && c|0x20 <= 'f'
	case upper:
		return isDigit || isUpper
	case lower:
		return isDigit || isUpper || isLower
	case word, dotted, base64, lines:
	}
	return isDigit || isUpper || isLower || strings.IndexByte(signs[k], c) >= 0
}

// signs are the characters of a set that are neither letters nor digits.
var signs = [256]string{word: "_-", dotted: "_-.+/=", base64: "_-+/=", lines: "_-+/=\\\r\n"}

// forms has a line for each kind of credential: the set of the characters after the prefix,
// their minimum number, and the prefixes. After a prefix with a question mark, which other
// words have too, the characters must look random. The forms are from the issuers'
// documentation and the public rules of gitleaks 8.30. The minimum is a little lower than
// theirs, so that truncated keys match.
//
// Hexadecimal digits alone are no form: 32 and 40 of them may be a key, but are far more often
// the checksum of a file or a git commit, which operators need in a report. They are masked
// under the name of a secret or a vendor.
const forms = `
d6 sk-live- sk-test- sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ pk_test_ sk-proj- sk-ant- sk-svcacct- sk-admin- sk-or-
d8 xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- xoxe.
d10 FLWSECK_TEST- FLWSECK- FLWPUBK_TEST-
u12 AKIA ASIA ABIA ACCA A3T
l12 sm_aat_ sm_pat_ sm_sat_
b12 bedrock-api-key-
w16 ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ GR1348941 sq0atp- sq0csp- sq0idp- NRAK- NRJS- NRII- NRAL- NRRA- whsec_
w16? sk- sk_ pk_ rk_
d16 glpat- glptt- glrt- gldt- glft- glimt- gloas- glsoat- glcbt- glffct- glagent-
l16 LTAI
w20 AIza sgp_ figd_ dckr_pat_ dckr_oat_ sbp_ sb_secret_ tvly-
d20 ya29. GOCSPX-
u24 API-
h24 shpat_ shpca_ shppa_ shpss_ shippo_live_ shippo_test_
l24 hf_ api_org_ npm_ pnu_ lin_api_ lin_oauth_ gsk_ r8_
l24? s.
b24 glc_ duffel_test_ duffel_live_
w24 glsa_ lsv2_pt_ lsv2_sk_
l28 ico- p8e-
h28 dapi pubkey- fc-
h28? key- SK
b30 eyJrIjoi
w30 pypi-AgE ATATT3 ATCTT3 squ_ sqp_ sqa_ AQVN CFPAT- tgp_v1_
w30? live_ test_ access-sandbox- access-development- access-production-
d24 pscale_tkn_ pscale_oauth_ pscale_pw_
d30 dp.pt. dp.st. dp.ct. dp.sa. dp.scim. pk.eyJ sk.eyJ tk.eyJ
h32 pul- rubygems_
d32 PMAK-
w32 fo1_ tk-us- sha256~
l32 ntn_ pplx- xai-
w38? YC
l38 4b1d
l40 AKCp cmVmd EZAK EZTK CLOJARS_ clojars_ nvapi- jina_
b40 ABSK sntrys_eyJ fio-u- dnkey-
h40 sntryu_ dop_v1_ doo_v1_ dor_v1_ s-s4t2ud- s-s4t2af-
d40 SG. xkeysib- xsmtpsib- dt0c01. dt0s01. tfp_
u40 AGE-SECRET-KEY-1
w40 HRKU-AA rdme_
w20? EAAA
d48? authress_ scauth_ ext_ sc_
d48? pat. sat.
l60 EAAC EAAM
d60 hvs. hvb. hvr.
d60? t1.
b60 fm1a_ fm1r_ fm2_ ops_eyJ AAAAAAAAAAAAAAAAAAAAAA
n40 ZXlK
d70? pat
d100 sl.
w120 v1.0-
`

// table returns the forms by their first two bytes.
var table = sync.OnceValue(func() *[1 << 10][]form {
	var list [1 << 10][]form
	for line := range strings.Lines(forms) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		rule, least := fields[0], 0
		for _, c := range []byte(rule[1:]) {
			if c != '?' {
				least = 10*least + int(c-'0')
			}
		}
		for _, p := range fields[1:] {
			i := at(p, 0)
			list[i] = append(list[i], form{p, charset(rule[0]), least, strings.HasSuffix(rule, "?")})
		}
	}
	return &list
})

const (
	// maxWeak is the number of bytes after a weak prefix that are read. Chosen: a random
	// text looks random within them.
	maxWeak = 128
	// shortestToken is the shortest word that is looked at if no form has its first bytes.
	// Chosen: shorter ones are words.
	shortestToken = 12
	// maxToken is how many bytes of a word are looked through. Chosen: the head of a JSON
	// web token is shorter.
	maxToken = 1024
)

// Pattern returns a regular expression for the credentials with a prefix.
func Pattern() string {
	var b strings.Builder
	b.WriteString(`-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}|\b(?:`)
	separator := ""
	for _, list := range table() {
		for _, f := range list {
			if !f.weak {
				b.WriteString(separator + regexp.QuoteMeta(f.prefix) + patterns[f.kind] + "{" + strconv.Itoa(f.least) + ",}")
				separator = "|"
			}
		}
	}
	return b.String() + ")"
}

// run returns where the characters of a set that begin at i end.
func run(s string, i int, k charset) int {
	for i < len(s) && k.has(s[i]) {
		i++
	}
	return i
}

// credential returns the end of the credential that begins at i, or i if there is none. End
// is the end of the word at i, including dots and dashes.
func credential(s string, i, end int) int {
	list := table()[at(s, i)]
	if len(list) == 0 && end-i < shortestToken && (s[i] < '0' || s[i] > '9') {
		return i
	}
	for _, f := range list {
		if !strings.HasPrefix(s[i:], f.prefix) {
			continue
		}
		tail := i + len(f.prefix)
		// As many bytes as decide it are read.
		if f.weak {
			if i > 0 && strings.IndexByte(".-~", s[i-1]) >= 0 {
				continue
			}
			if to := run(s[:min(len(s), tail+maxWeak)], tail, f.kind); to-tail < f.least || !looksRandom(s[tail:to]) {
				continue
			}
		}
		if to := run(s, tail, f.kind); to-tail >= f.least {
			return sentenceEnd(s, i, max(to, run(s, to, word)))
		}
	}
	text := s[i:min(end, i+maxToken)]
	switch {
	case len(text) < shortestToken:
		return max(userToken(s, i, end), i)
	case strings.HasPrefix(text, "ey") && strings.Contains(text, ".ey") && len(text) > 30, // RFC 7519
		strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") >= 2 && len(text) > 40:
		return run(s, end, base64)
	case len(text) <= maxWeak && strings.HasSuffix(text, "_mmk") && looksRandom(text), // MaxMind
		len(text) > 30 && text[4:6] == "Q~" && strings.IndexByte("0123456789", text[3]) >= 0, // Entra ID
		len(text) > 24 && strings.HasPrefix(text[14:], ".atlasv1."),                          // Terraform
		len(text) >= 34 && strings.HasPrefix(text, "A3-") && isDashed(text):                  // 1Password
		return run(s, end, dotted)
	}
	return max(userToken(s, i, end), i)
}

// isDashed reports whether a text consists of upper-case letters, digits and at least four
// dashes.
func isDashed(s string) bool {
	return len(s) <= maxWeak && strings.Count(s, "-") >= 4 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
}

// userToken returns the end of a token at i that consists of the user's number, a mark and
// a key, as those of Telegram's bots and of Facebook. If there is none, it returns -1.
func userToken(s string, i, end int) int {
	digits := i
	for digits < end && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits-i < 5 || digits-i > 16 || digits >= len(s) {
		return -1
	}
	least := 0
	switch {
	case s[digits] == ':' && strings.HasPrefix(s[digits:], ":A"):
		least = 30
	case (s[digits] == '|' || s[digits] == '%') && digits-i >= 15:
		least = 27
	default:
		return -1
	}
	if to := run(s, digits+1, word); to-digits-1 >= least {
		return to
	}
	return -1
}

// sentenceEnd returns end without the sentence's punctuation before it.
func sentenceEnd(s string, from, end int) int {
	for end > from && strings.IndexByte(".,;:!?", s[end-1]) >= 0 {
		end--
	}
	return end
}
