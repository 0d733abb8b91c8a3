package thirdparty

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A testCase makes one error of one library. The mechanism is how a classifier
// that knows the standard library alone can recognise it:
//
//	1  a sentinel or an errno          5  a field, by reflection
//	2  a type of the standard library  6  a method, by reflection
//	3  Timeout or Temporary            7  a number and the library's table
//	4  an interface of plain types     7b the name of the type
//	8  the text                        9  nothing
type testCase struct {
	library, name string
	mechanism     string
	make          func(t *testing.T) error
	categories    []toolerr.Category // the first is expected, the others are accepted
	retryable     *expectation
	after         time.Duration // 0: none expected
}

// An expectation holds the expected Retryable and Effect; nil accepts any value.
type expectation struct {
	retryable *bool // nil: either
	// unproven: the call may have been carried out, so the effect must not be none.
	unproven bool
}

func (c testCase) key() string { return c.library + ": " + c.name }

var allCases = slices.Concat(
	osCases, contextCases, encodingCases, parsingCases, sqlCases, sqliteCases,
	cassandraCases, memcacheCases, kafkaCases, natsCases,
	connectCases, twirpCases, awsCases, googleCases,
	openaiCases, sashabaranovCases, githubCases, gitlabCases, stripeCases, twilioCases,
	discordCases, telegramCases, vaultCases, ldapCases, websocketCases,
	validatorCases, protobufCases, syncCases, backoffCases,

	ollamaCases, cohereCases, paypalCases, telegramBotCases, giteaCases, mark3labsCases, scalewayCases, ociCases,
	containerdCases, orasCases, imapCases, mqttCases, raftCases, collyCases, kratosCases, humaCases,
	pgdriverCases, neo4jCases, prometheusCases, redislockCases,
	lineCases, gitCases, zookeeperCases, jrpc2Cases, trinoCases, elasticCases, bigcacheCases, cronCases, gojqCases,
	pflagCases, burntSushiCases, pelletierCases, zstdCases, jwxCases,

	azureCases, anthropicCases, slackCases, pgxCases, redisCases, consulCases, mssqlCases, kerrCases, godoCases, smtpCases,
	influxCases, bboltCases, resilienceCases, jwtCases, dropboxCases, gophercloudCases, ovhCases, quicCases, crCases,
	spotifyCases, awsOneCases, linodeCases, teaCases, schemaCases,
)

var (
	yes          = &expectation{retryable: ptr(true)}
	no           = &expectation{retryable: ptr(false)}
	yesUnproven  = &expectation{retryable: ptr(true), unproven: true}
	noUnproven   = &expectation{retryable: ptr(false), unproven: true}
	bothUnproven = &expectation{unproven: true}

	transient  = one(toolerr.CategoryTransient)
	validation = one(toolerr.CategoryValidation)
	business   = one(toolerr.CategoryBusiness)
	permission = one(toolerr.CategoryPermission)

	// There is no evidence that the caller sent the text or named the file.
	ownText   = or(transient, validation)
	ownFile   = or(transient, validation)
	ownDenied = or(transient, permission)
)

func ptr[T any](v T) *T { return &v }

func one(c toolerr.Category) []toolerr.Category { return []toolerr.Category{c} }

// or also accepts the categories of the others.
func or(wanted []toolerr.Category, others ...[]toolerr.Category) []toolerr.Category {
	return slices.Concat(wanted, slices.Concat(others...))
}

// value returns a case's function for an error that is constructed.
func value(err error) func(*testing.T) error {
	return func(*testing.T) error { return err }
}

// secret is part of upstream messages, and must never be published.
const secret = "hunter2-secret"

type headers map[string]string

// answer returns the address of a server that gives the same answer to every request.
func answer(t *testing.T, status int, header headers, body string) string {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// refused returns a loopback address that refuses connections.
func refused(t *testing.T) string {
	t.Helper()
	addr, err := loopback.Unused()
	must(t, err)
	return addr
}

// must fails the test if a step before the tested one fails.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("preparing the case: %v", err)
	}
}
