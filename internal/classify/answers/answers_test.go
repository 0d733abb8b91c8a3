package answers_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
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
			resp := &http.Response{StatusCode: r.Status, Header: http.Header(r.Header), Body: io.NopCloser(strings.NewReader(r.Body))}
			if r.Method != "" {
				resp.Request = &http.Request{Method: strings.Trim(r.Method, "-")} // the method of a Request may be empty
			}
			c, scopes, _ := answers.FromResponse(resp)
			return strings.TrimSpace(testutil.Fields(c) + " " + scopes)
		})
	})
}

// TestRead checks what objects claim, and what values say about the items of a batch, first unflagged.
func TestRead(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/claims.txt", claims)
	testutil.Recorded(t, "testdata/items.txt", items)
}

func claims(sample string) string {
	m, _ := jsonvalue.Object(testutil.Repeat(sample))
	c, all := answers.Read(m), []string{}
	add := func(name, value string) {
		if value != "" {
			all = append(all, strings.TrimSpace(name+" "+testutil.Shorten(value)))
		}
	}
	is := map[bool]string{true: " "}
	found, _ := c.Class()
	add("class", found.Classification().Code)
	add("word", c.Word(func(code string) bool { return code == "busy" }))
	code, alone := c.Alone(func(string) bool { return false })
	add("alone", is[alone]+code)
	allows, stated := c.Flag()
	add("flag allows", is[allows])
	add("flag forbids", is[stated && !allows])
	add("own", is[c.Own])
	add("for a day", is[c.HasPlanLimit(c.After, nil)])
	add("status", strings.Trim(fmt.Sprint(c.Status()), "0"))
	add("wait", strings.TrimPrefix(c.After.String(), "0s"))
	for meaning, name := range meanings {
		add(name, c.Text(spelling.Meaning(meaning))+strings.Trim(fmt.Sprint(c.List(spelling.Meaning(meaning))), "[]"))
	}
	add("says", strconv.Quote(c.Said()))
	add("unknown:", strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(m)), answers.IsKnown), " "))
	add("data:", strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(m)), answers.IsReportName), " "))
	return strings.Join(all, ", ")
}

var meanings = [spelling.Processed]string{
	spelling.Category: "category", spelling.Message: "message", spelling.ErrorText: "error", spelling.Code: "code", spelling.Hint: "hint",
	spelling.CustomerMessage: "customer", spelling.Field: "field", spelling.CorrelationID: "id", spelling.IdempotencyKey: "key",
	spelling.Effect: "effect", spelling.Suggestions: "suggestions", spelling.Options: "options",
}

func items(sample string) string {
	v, _ := jsonvalue.Decode([]byte(testutil.Repeat(sample)))
	var all [2]string
	for i := range all {
		if batch := answers.ReadItems(v, i > 0); batch != nil {
			all[i] = fmt.Sprintf("done %d, failed %d, total %d, from %v, %d results", batch.Done, batch.Failed, batch.Total, batch.From, len(batch.Results))
		}
	}
	return strings.Join(slices.Compact(all[:]), "\n")
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
		for name := range strings.FieldsSeq("reason decline_code subcode issue code error_code errcode tag type error_type kind name status error title") {
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
		"none":        {nil, "not_found"},
		"broken":      {iotest.ErrReader(io.ErrUnexpectedEOF), "not_found"},
		"broken late": {io.MultiReader(strings.NewReader(`{"code":"conflict"}`), iotest.ErrReader(io.ErrUnexpectedEOF)), "not_found"},
		"at limit":    {strings.NewReader(`{"code":"conflict","a":"` + strings.Repeat("x", 64<<10-26) + `"}`), "conflict"},
		"over limit":  {strings.NewReader(`{"code":"conflict","a":"` + strings.Repeat("x", 64<<10-25) + `"}`), "not_found"},
	} {
		resp, body := &http.Response{StatusCode: http.StatusNotFound}, &closer{Reader: test.body}
		if test.body != nil {
			resp.Body = body
		}
		c, _, _ := answers.FromResponse(resp)
		assert.Equal(t, test.want, c.Code, name)
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
