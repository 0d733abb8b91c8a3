package answers_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestFromResponse checks responses, in the year 2000.
func TestFromResponse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		testutil.Recorded(t, "testdata/responses.txt", func(sample string) string {
			var r struct {
				Status int                 `json:"status"`
				Method string              `json:"method"`
				Header map[string][]string `json:"header"`
				Body   string              `json:"body"`
			}
			require.NoError(t, json.Unmarshal([]byte(sample), &r), sample)
			resp := &http.Response{
				StatusCode: r.Status, Header: http.Header(r.Header), Body: io.NopCloser(strings.NewReader(r.Body)),
			}
			if r.Method != "" {
				resp.Request = &http.Request{Method: strings.Trim(r.Method, "-")} // the method of a Request may be empty
			}
			c, scopes, _ := answers.FromResponse(resp)
			put, _ := io.ReadAll(resp.Body)
			assert.Equal(t, r.Body, string(put), "a body is put back")
			return strings.TrimSpace(testutil.Fields(c) + " " + scopes)
		})
	})
}

// TestRead checks what objects claim, and what values say about the items of a batch.
func TestRead(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/claims.txt", func(sample string) (all string) {
		m, _ := jsonvalue.Object(testutil.Repeat(sample))
		c := answers.Read(m)
		found, _ := c.Class()
		code, alone := c.Alone()
		allows, states := c.Flag()
		names := slices.Sorted(maps.Keys(m))
		claims := []any{
			"class", found.Classification().Code, "word", c.Word(true), "alone",
			alone, "alone with", code,
			"flag allows", allows, "flag forbids", states && !allows, "own", c.Own, "status", c.Status(), "wait", c.After,
			"for a day", c.HasPlanLimit(c.After), "category", c.Text(spelling.Category), "code", c.Text(spelling.Code),
			"field", c.Text(spelling.Field), "effect", c.Text(spelling.Effect), "options", c.List(spelling.Options),
			"error", c.Text(spelling.ErrorText), "message", c.Message(), "says", c.Said(),
			"unknown:", slices.DeleteFunc(slices.Clone(names), answers.IsKnown), "data:",
			slices.DeleteFunc(names, answers.IsReportName),
		}
		for i, value := range claims {
			if text := strings.Trim(fmt.Sprint(value), "[]"); i%2 == 1 && text != "" && text != "0" && text != "0s" &&
				text != "false" {
				all += fmt.Sprint(", ", claims[i-1], strings.TrimSuffix(" "+testutil.Shorten(text), " true"))
			}
		}
		return strings.TrimPrefix(all, ", ")
	})
	testutil.Recorded(t, "testdata/items.txt", func(sample string) (all string) {
		v, _ := jsonvalue.Decode([]byte(sample))
		for _, flagged := range []bool{false, true} {
			if i := answers.ReadItems(v, flagged); i != nil && all == "" {
				all = strings.TrimPrefix(fmt.Sprintf("if flagged=%t: done %d, failed %d, total %d, from %v, %d results", flagged,
					i.Done, i.Failed, i.Total, i.From, len(i.Results)), "if flagged=false: ")
			}
		}
		return all
	})
}

// The lists of a Go error's fields are read like those of JSON, to the same depth.
func TestClaims_ReadObject(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]bool{1: false, 2: false, 3: false, 4: true, 5: true} {
		var b answers.Claims
		b.ReadObject(map[string]any{"errors": []map[string]any{{"cause": map[string]any{"code": "conflict"}}}}, depth)
		_, shown := b.Class()
		assert.Equal(t, want, shown, depth)
	}
	tagged := map[string]any{} // each member names the next object: read once, or 16 to the power of 7 times
	for range answers.MaxDepth {
		next := map[string]any{"other": tagged}
		for name := range strings.FieldsSeq("reason decline_code subcode issue code error_code errcode tag type error_type " +
			"kind name status error title") {
			next[name] = "other"
		}
		tagged = next
	}
	new(answers.Claims).ReadObject(tagged, answers.MaxDepth)
	round := map[string]any{}
	round["errors"] = []map[string]any{round}
	for depth := range answers.MaxDepth {
		new(answers.Claims).ReadObject(round, depth+1)
	}
}

// A body is read up to a limit and closed. One that is missing or cannot be read is as good as empty.
func TestFromResponse_Body(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body io.Reader
		want string
	}{
		"none":       {nil, "not_found"},
		"message":    {strings.NewReader(`{"message":"gone"}`), "not_found gone"},
		"text":       {strings.NewReader(" gone "), "not_found gone"},
		"XML":        {strings.NewReader("<Error><Message>gone</Message></Error>"), "not_found gone"},
		"binary":     {strings.NewReader("gone\x00"), "not_found"},
		"zero first": {strings.NewReader("\x00gone"), "not_found"},
		"broken":     {iotest.ErrReader(io.ErrUnexpectedEOF), "not_found"},
		"broken late": {
			io.MultiReader(strings.NewReader(`{"code":"conflict"}`), iotest.ErrReader(io.ErrUnexpectedEOF)), "not_found",
		},
		"at limit": {
			strings.NewReader(`{"code":"conflict","a":"` + strings.Repeat("x", 64<<10-26) + `"}`), `conflict {"code":"con`,
		},
		"over limit": {
			strings.NewReader(`{"code":"conflict","a":"` + strings.Repeat("x", 64<<10-25) + `"}`), `not_found {"code":"con`,
		},
	} {
		resp, body := &http.Response{StatusCode: http.StatusNotFound}, &closer{Reader: test.body}
		if test.body != nil {
			resp.Body = body
		}
		c, _, said := answers.FromResponse(resp)
		assert.Equal(t, test.want, strings.TrimSpace(c.Code+" "+said[:min(len(said), 12)]), name)
		assert.Equal(t, test.body != nil, body.isClosed, name)
	}
}

type closer struct {
	io.Reader

	isClosed bool
}

func (c *closer) Close() error {
	c.isClosed = true
	return nil
}
