package leaks_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
)

// A rule is one of gitleaks.
type rule struct {
	ID       string
	Path     string // of the files that it is for; empty for all
	Regex    string
	Entropy  float64
	Keywords []string
}

// isNamed reports whether the rule needs the name of a service before the secret, because
// the secret has no form of its own.
func (r rule) isNamed() bool { return strings.Contains(r.Regex, `[\w.-]{0,50}?`) }

// noSecrets are rules for what identifies a client or is public, and the rules for shapes of
// a whole command, which the tests of package redact have.
var noSecrets = strings.Fields(
	`adobe-client-id asana-client-id bitbucket-client-id discord-client-id linkedin-client-id looker-client-id
	messagebird-client-id plaid-client-id sendbird-access-id sumologic-access-id new-relic-user-api-id
	mailgun-pub-key lob-pub-api-key flutterwave-public-key
	curl-auth-header curl-auth-user`)

func rules(t *testing.T) (fit []rule) {
	t.Helper()
	var all struct{ Rules []rule }
	_, err := toml.Decode(config.DefaultConfig, &all)
	require.NoError(t, err)
	require.Greater(t, len(all.Rules), 200)
	for _, r := range all.Rules {
		if r.Path == "" && r.Regex != "" && !slices.Contains(noSecrets, r.ID) {
			fit = append(fit, r)
		}
	}
	t.Logf("%d of %d rules are for secrets that are recognisable without a file", len(fit), len(all.Rules))
	return fit
}

// secrets makes secrets that a rule finds.
func secrets(t *testing.T, r *rand.Rand, rule rule, n int) (list []string) {
	t.Helper()
	parsed, err := syntax.Parse(rule.Regex, syntax.Perl)
	require.NoError(t, err, rule.ID)
	of := parsed
	if g := group(parsed); g != nil && (rule.isNamed() || strings.HasPrefix(rule.ID, "azure")) {
		of = g
	}
	compiled := regexp.MustCompile(rule.Regex)
	for tries := 0; len(list) < n && tries < 200*n; tries++ {
		secret := strings.TrimRight(sample(r, of), " \t\r\n;\"'`\\)],<|")
		if !rule.isNamed() {
			m := compiled.FindStringSubmatch(secret)
			switch {
			case m == nil:
				continue
			case len(m) > 1 && len(m[1]) > 10:
				secret = m[1]
			}
		}
		if entropy(secret) >= rule.Entropy {
			list = append(list, secret)
		}
	}
	require.NotEmpty(t, list, rule.ID)
	return list
}

// contexts are the places of a secret in arguments. Name is the service's name for a secret
// without a recognizable form.
var contexts = map[string]func(name, secret string) any{
	"member": func(n, s string) any {
		if n == "" {
			return map[string]any{"note": s}
		}
		return map[string]any{n + "_token": s}
	},
	"prose": func(n, s string) any { return map[string]any{"note": "please use " + assigned(n, "=", s) + " for it"} },
	"variable": func(n, s string) any {
		return map[string]any{"env": "HOME=/root\n" + assigned(strings.ToUpper(n), "=", s)}
	},
	"yaml": func(n, s string) any {
		return map[string]any{"file": "page: 2\n" + assigned(n, ": ", s) + "\nsort: asc\n"}
	},
	"code": func(n, s string) any { return map[string]any{"file": assigned(n, " := ", fmt.Sprintf("%q", s)) + ";"} },
	"json": func(n, s string) any {
		return map[string]any{"body": fmt.Sprintf(`{"page":2,%q:%q}`, name(n, "note"), s)}
	},
	"query": func(n, s string) any {
		return map[string]any{"url": "https://example.com/x?page=2&" + name(n, "q") + "=" + s}
	},
}

// bare are the same for the name of the service alone, without a word for a secret.
func bare(n, s string) any { return map[string]any{n: s} }

func name(n, without string) string {
	if n == "" {
		return without
	}
	return n + "_api_key"
}

func assigned(n, operator, s string) string {
	if n == "" {
		return s
	}
	return n + "_key" + operator + s
}

// TestRecall checks that almost all secrets that gitleaks finds are masked.
func TestRecall(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	const each = 20
	total, found, missed := 0, map[string]int{}, map[string][]string{}
	planted, survived := 0, 0
	for _, rule := range rules(t) {
		total++
		service := ""
		if rule.isNamed() {
			service = strings.NewReplacer("-", "_", " ", "_").Replace(rule.Keywords[0])
		}
		list := secrets(t, r, rule, each)
		var unknown []string // as of an issuer whose prefix is not in the table
		for _, secret := range list {
			unknown = append(unknown, "zq"+secret[2:])
		}
		check := func(list []string, context string, make func(name, secret string) any) {
			left, example := 0, ""
			for _, secret := range list {
				planted++
				raw, err := json.Marshal(redact.Arguments(make(service, secret)))
				require.NoError(t, err)
				quoted, err := json.Marshal(secret)
				require.NoError(t, err)
				if strings.Contains(string(raw), strings.Trim(string(quoted), `"`)) {
					left++
					example = string(raw)
				}
			}
			survived += left
			if 20*left <= len(list) {
				found[context]++
				return
			}
			missed[context] = append(missed[context], fmt.Sprintf("%s (%d of %d): %.200s", rule.ID, left, len(list), example))
		}
		for context, make := range contexts {
			check(list, context, make)
		}
		check(unknown, "unknown", func(_, s string) any { return map[string]any{"example_key": s} })
		if service != "" {
			check(list, "bare", bare)
		}
	}
	t.Logf("planted %d secrets of %d rules, %d survived", planted, total, survived)
	for context := range contexts {
		share := float64(found[context]) / float64(total)
		t.Logf("%s: %d of %d rules (%.1f %%)", context, found[context], total, 100*share)
		assert.GreaterOrEqual(t, share, 0.95, context)
		for _, m := range missed[context] {
			t.Log("missed in ", context, ": ", m)
		}
	}
	t.Logf("with an unknown prefix: %d of %d rules (%.1f %%), missed: %s", found["unknown"], total,
		100*float64(found["unknown"])/float64(total), strings.Join(missed["unknown"], "\n"))
	assert.GreaterOrEqual(t, float64(found["unknown"])/float64(total), 0.9)
	t.Logf("under the bare name of the service: %d rules found, missed %d: %s", found["bare"], len(missed["bare"]),
		strings.Join(missed["bare"], "\n"))
}
