package thirdparty

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
	kratos "github.com/go-kratos/kratos/v2/errors"
	"github.com/gocolly/colly/v2"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

var collyCases = []testCase{
	{"colly", "403", "8", visit(403), permission, no, 0},
	{"colly", "404", "8", visit(404), validation, no, 0},
	{"colly", "429", "8", visit(429), transient, yes, 0},
	{"colly", "503", "8", visit(503), transient, yesUnproven, 0},
	{"colly", "forbidden domain", "8", func(*testing.T) error {
		return colly.NewCollector(colly.AllowedDomains("example.com")).Visit("http://127.0.0.1:9/")
	}, or(validation, permission, business), no, 0},
	{"colly", "missing URL", "6", func(*testing.T) error { return colly.NewCollector().Visit("") }, validation, no, 0},
	{"colly", "already visited", "7b", func(t *testing.T) error {
		collector, address := colly.NewCollector(), "http://"+refused(t)
		_ = collector.Visit(address)
		return collector.Visit(address)
	}, or(business, validation), no, 0},
}

func visit(status int) func(*testing.T) error {
	return func(t *testing.T) error {
		return colly.NewCollector().Visit(answer(t, status, nil, "no"))
	}
}

var kratosCases = []testCase{
	{"kratos/errors", "404", "5", value(kratos.New(404, "USER_NOT_FOUND", "user 12 does not exist")), validation, no, 0},
	{"kratos/errors", "400", "5", value(kratos.New(400, "VALIDATOR", "age must be > 0")), validation, no, 0},
	{"kratos/errors", "401", "5", value(kratos.New(401, "UNAUTHORIZED", "JWT token is missing")), permission, no, 0},
	{"kratos/errors", "403", "5", value(kratos.New(403, "NO_ACCESS", "no")), permission, no, 0},
	{"kratos/errors", "409", "5", value(kratos.New(409, "ORDER_STATE", "order is paid")), business, no, 0},
	{
		"kratos/errors", "429", "5", value(kratos.New(429, "RATELIMIT", "service unavailable due to rate limit exceeded")),
		transient, yes, 0,
	},
	{"kratos/errors", "503", "5", value(kratos.New(503, "CIRCUITBREAKER",
		"request failed due to circuit breaker triggered")), transient, yesUnproven, 0},
	{"kratos/errors", "504", "5", value(kratos.New(504, "TIMEOUT", "x")), transient, yesUnproven, 0},
	{"kratos/errors", "500", "5", value(kratos.New(500, "DB", "x")), transient, bothUnproven, 0},
}

var humaCases = []testCase{
	{"huma", "400", "5", model(400), validation, no, 0},
	{"huma", "401", "5", model(401), permission, no, 0},
	{"huma", "404", "5", model(404), validation, no, 0},
	{"huma", "409", "5", model(409), business, no, 0},
	{"huma", "429", "5", model(429), transient, yes, 0},
	{"huma", "502", "5", model(502), transient, yesUnproven, 0},
	{"huma", "503", "5", model(503), transient, yesUnproven, 0},
}

func model(status int) func(*testing.T) error { return value(huma.NewError(status, "x")) }

var prometheusCases = []testCase{
	{"prometheus/api", "bad_data", "5", query(v1.ErrBadData, `invalid parameter "query": 1:5: parse error: unexpected `+
		`identifier`), validation, no, 0},
	{
		"prometheus/api", "timeout", "5", query(v1.ErrTimeout, "query timed out in expression evaluation"), transient,
		yesUnproven, 0,
	},
	{
		"prometheus/api", "canceled", "5", query(v1.ErrCanceled, "query was canceled in expression evaluation"), transient,
		no, 0,
	},
	{"prometheus/api", "execution", "5", query(v1.ErrExec, "query processing would load too many samples into memory in "+
		"query execution"), or(validation, business, transient), no, 0},
	{"prometheus/api", "server_error 503", "5", query(v1.ErrServer, "server error: 503"), transient, yesUnproven, 0},
	{"prometheus/api", "client_error 403", "5", query(v1.ErrClient, "client error: 403"), permission, no, 0},
	{"prometheus/api", "client_error 429", "5", query(v1.ErrClient, "client error: 429"), transient, yes, 0},
}

func query(kind v1.ErrorType, text string) func(*testing.T) error {
	return value(&v1.Error{Type: kind, Msg: text})
}
