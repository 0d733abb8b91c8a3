package evidence_test

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"regexp/syntax"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
)

// naming makes an error of each type that names something.
var naming = map[string]func(name string) error{
	"path":        func(s string) error { return &fs.PathError{Path: s} },
	"old":         func(s string) error { return &os.LinkError{Old: s} },
	"new":         func(s string) error { return &os.LinkError{New: s} },
	"program":     func(s string) error { return &exec.Error{Name: s} },
	"number":      func(s string) error { return &strconv.NumError{Num: s} },
	"date":        func(s string) error { return &time.ParseError{Value: s} },
	"layout":      func(s string) error { return &time.ParseError{Layout: s} },
	"syntax":      func(s string) error { return json.Unmarshal([]byte(s), new(any)) },
	"expression":  func(s string) error { return failed(syntax.Parse(s, syntax.Perl)) },
	"IP":          func(s string) error { return failed(netip.ParseAddr(s)) },
	"prefix":      func(s string) error { return failed(netip.ParsePrefix(s)) },
	"URL":         func(s string) error { return &url.Error{URL: s} },
	"escape":      func(s string) error { return url.EscapeError(s) },
	"host of URL": func(s string) error { return url.InvalidHostError(s) },
	"host":        func(s string) error { return &net.DNSError{Name: s} },
	"address":     func(s string) error { return &net.ParseError{Text: s} },
	"port":        func(s string) error { return &net.AddrError{Addr: s} },
	"network":     func(s string) error { return net.UnknownNetworkError(s) },
	"certificate": func(s string) error { return x509.HostnameError{Host: s} },
	"nothing":     func(s string) error { return errors.New(s) },
	"type":        func(s string) error { return json.Unmarshal([]byte(s), new(decoded)) }, //nolint:musttag // the members of Place have their Go names
}

// failed returns the error of a call that has a value too.
func failed(_ any, err error) error { return err }

type decoded struct {
	Days  int                   `json:"days"`
	Note  string                `json:"note"`
	Place struct{ Lat float64 } `json:"place"`
}

// TestBlame checks whose fault the errors of a chain are, and which argument they name.
func TestBlame(t *testing.T) {
	t.Parallel()
	faults := map[classify.Fault]string{
		classify.Unnamed: "names nothing", classify.Own: "the tool's fault", classify.Callers: "the caller's fault: ",
	}
	testutil.Recorded(t, "testdata/blame.txt", func(sample string) string {
		cells := strings.Split(testutil.Repeat(sample), "\t")
		var chain []error
		rejection := ""
		for _, cell := range cells[1:] {
			kind, name, _ := strings.Cut(cell, "=")
			if kind == "rejection" {
				chain, rejection = append(chain, errors.New(name)), name
				continue
			}
			require.Contains(t, naming, kind)
			chain = append(chain, naming[kind](name))
		}
		field, part, fault := (&evidence.Arguments{Raw: json.RawMessage(cells[0])}).Blame(chain, rejection)
		if part != "" {
			field += " names " + part
		}
		return faults[fault] + field
	})
}

func TestArguments_At(t *testing.T) {
	t.Parallel()
	arguments := &evidence.Arguments{Raw: json.RawMessage(`{"items":[{},{"sku_id":"a"}]}`)}
	for path, want := range map[string]string{
		"items.1.sku_id": "items[1].sku_id string a ", "items[1].skuId": "items[1].sku_id string a ",
		"items[1].skuIds[0]": "items[1] object  skuids.0.", "item": "   item.", "": " object  ",
	} {
		field, kind, text, rest := arguments.At(path)
		assert.Equal(t, want, strings.Join([]string{field, kind, text, rest}, " "), path)
	}
}

func TestArguments_HasStatement(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]bool{
		`{"sql":"SELECT * FROM t"}`: true, `{"n":1,"q":"match (n) return n"}`: true, `{"note":"select one"}`: false,
		`{"sql":"SELECT"}`: false, `{}`: false,
	} {
		assert.Equal(t, want, (&evidence.Arguments{Raw: json.RawMessage(arguments)}).HasStatement(), arguments)
	}
}
