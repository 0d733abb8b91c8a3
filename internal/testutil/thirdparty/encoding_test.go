package thirdparty

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"
)

var contextCases = []testCase{
	{"std/context", "DeadlineExceeded", "1", func(t *testing.T) error {
		return expired(t).Err()
	}, transient, yes, 0},
	{"std/context", "Canceled", "1", func(t *testing.T) error {
		return canceled(t).Err()
	}, transient, no, 0},
	{"std/context", "cause wraps Canceled", "1", func(t *testing.T) error {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(fmt.Errorf("shutdown: %w", context.Canceled))
		return context.Cause(ctx)
	}, transient, no, 0},
	{"std/context", "timeout cause", "9", func(t *testing.T) error {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 0, errors.New("tool budget of 5s spent"))
		defer cancel()
		return context.Cause(ctx)
	}, transient, nil, 0},
	{"std/context", "signal.NotifyContext-style", "1", func(t *testing.T) error {
		return fmt.Errorf("step 3: %w", fmt.Errorf("query: %w", canceled(t).Err()))
	}, transient, no, 0},
}

func expired(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	t.Cleanup(cancel)
	return ctx
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

var encodingCases = []testCase{
	{"std/encoding", "json syntax", "2", unmarshal("}", new(any)), ownText, no, 0},
	{"std/encoding", "json truncated (Unmarshal)", "2", unmarshal("{", new(any)), ownText, no, 0},
	{"std/encoding", "json wrong type", "2", unmarshal(`{"N":"x"}`, new(struct{ N int })), ownText, no, 0},
	{"std/encoding", "json unknown field", "8", func(*testing.T) error {
		decoder := json.NewDecoder(strings.NewReader(`{"zz":1}`))
		decoder.DisallowUnknownFields()
		return decoder.Decode(new(struct{ N int }))
	}, ownText, no, 0},
	{"std/encoding", "json unsupported type", "2", func(*testing.T) error {
		_, err := json.Marshal(any(make(chan int)))
		return err
	}, or(transient, validation), no, 0},
	{"std/encoding", "json non-pointer", "2", unmarshal("1", nil), or(transient, validation), no, 0},
	{"std/encoding", "xml syntax", "2", func(*testing.T) error {
		return xml.Unmarshal([]byte("<a><b></a>"), new(struct{}))
	}, ownText, no, 0},
	{"std/encoding", "base64", "2", func(*testing.T) error {
		_, err := base64.StdEncoding.DecodeString("!!!!")
		return err
	}, ownText, no, 0},
	{"std/encoding", "hex", "2", func(*testing.T) error {
		_, err := hex.DecodeString("zz")
		return err
	}, ownText, no, 0},
	{"std/encoding", "csv", "2", func(*testing.T) error {
		_, err := csv.NewReader(strings.NewReader("\"a\nb\"c")).Read()
		return err
	}, ownText, no, 0},
	{"std/encoding", "gzip header", "1", func(*testing.T) error {
		_, err := gzip.NewReader(strings.NewReader("no gzip at all"))
		return err
	}, ownText, no, 0},
}

func unmarshal(data string, target any) func(*testing.T) error {
	return func(*testing.T) error { return json.Unmarshal([]byte(data), target) }
}

var parsingCases = []testCase{
	{"std/parsing", "time.Parse", "2", func(*testing.T) error {
		_, err := time.Parse(time.RFC3339, "yesterday")
		return err
	}, ownText, no, 0},
	{"std/parsing", "time.ParseDuration", "7b", func(*testing.T) error {
		_, err := time.ParseDuration("5 minutes")
		return err
	}, ownText, no, 0},
	{"std/parsing", "regexp", "2", func(*testing.T) error {
		_, err := regexp.Compile("a" + "(")
		return err
	}, ownText, no, 0},
	{"std/parsing", "mail address", "8", func(*testing.T) error {
		_, err := mail.ParseAddress("not an address")
		return err
	}, ownText, no, 0},
}
