package thirdparty

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A labelled error belongs to a set that was labelled from the libraries' documentation
// before the classifier was developed for it.
type labelled struct {
	library, name string
	how           string // wire (a server on loopback answered), triggered, constructed, sentinel
	err           error
	category      []toolerr.Category
	also          []toolerr.Category // also correct
	retry         string             // true, false, either
	effect        string             // notNone, or empty for any
	why           string             // the reason for the label
}

const notNone = "not none"

// testCase returns the labelled error as a case. An error without a type of its own is
// classified by its text.
func (l *labelled) testCase() testCase {
	expected := &expectation{unproven: l.effect == notNone}
	if l.retry != "either" {
		expected.retryable = ptr(l.retry == "true")
	}
	mechanism := "6"
	if leaf := leafOf(l.err); reflect.TypeOf(leaf) == reflect.TypeOf(errors.New("")) {
		mechanism = "8"
	}
	return testCase{l.library, l.name, mechanism, value(l.err), slices.Concat(l.category, l.also), expected, 0}
}

func leafOf(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// labelledCases returns the labelled errors.
func labelledCases(t *testing.T) (cases []testCase) {
	t.Helper()
	for _, source := range []func(*testing.T) []labelled{
		pqCases, mysqlCases, clickhouseCases, redigoCases, meiliCases, amqpCases, saramaCases, beanstalkCases,
		k8sCases, etcdCases, minioCases, tencentCases, hcloudCases, cloudflareCases, mailCases, sftpCases, sshCases,
		oauthCases, genaiCases, pagerdutyCases, genqlientCases, temporalCases, gojaCases, hystrixCases, pdfcpuCases,
	} {
		for _, l := range source(t) {
			cases = append(cases, l.testCase())
		}
	}
	return cases
}
