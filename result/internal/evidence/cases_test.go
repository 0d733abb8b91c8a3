package evidence_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A faultCase is an error of a tool that fails by itself, and its twin: the same error
// about a value in the arguments, which is the caller's fault.
type faultCase struct {
	fails     func(t *testing.T, what string) error
	own       string // the subject of the tool's own error
	given     string // the subject of the twin's error
	arguments string // the twin's arguments
	field     string // the field of the twin's arguments that contains the subject
	code      toolerr.Code
}

const (
	notFound = toolerr.CodeNotFound
	badInput = toolerr.CodeInvalidArgument
	tooLarge = toolerr.CodeOutOfRange
	noAccess = toolerr.CodePermissionDenied
	noProof  = toolerr.CodeUnauthenticated
)

// faultCases are sorted by the subject of the error: files and programs, then texts that
// cannot be parsed, then the network.
var faultCases = map[string]faultCase{
	"missing file":              {readFile, "/etc/weather/missing.yaml", "/home/ann/missing.txt", `{"path":"/home/ann/missing.txt"}`, "path", notFound},
	"missing file, not clean":   {readFile, "config/missing.json", "/home/ann/missing.txt", `{"files":[{"path":"/home/ann/../ann//missing.txt "}]}`, "files[0].path", notFound},
	"missing file, joined":      {readFile, "/etc/weather/missing.yaml", "/srv/no such/reports/q3.txt", `{"report":"reports/q3.txt"}`, "report", notFound},
	"missing file, extended":    {readFile, "/etc/weather/missing.yaml", "/srv/profiles/ann-7.json", `{"profile":"ann-7"}`, "profile", notFound},
	"missing file by number":    {readFile, "/etc/weather/missing.yaml", "/srv/orders/48291.json", `{"order":48291}`, "order", notFound},
	"missing file, as a URI":    {readFile, "/etc/weather/missing.yaml", "/home/ann/a b.txt", `{"uri":"file:///home/ann/a%20b.txt"}`, "uri", notFound},
	"missing file of a folder":  {readFile, "/etc/weather/missing.yaml", "/srv/no/project/go.mod", `{"root":"/srv/no/project"}`, "root", notFound},
	"unreadable key":            {pathError("open", fs.ErrPermission), "/etc/weather/key.pem", "/root/.ssh/id", `{"file":"/root/.ssh/id"}`, "file", noAccess},
	"unreadable file":           {pathError("open", syscall.EACCES), "/etc/weather/key.pem", "/root/notes", `{"to":["a",{"b":"/root/notes"}]}`, "to[1].b", noAccess},
	"read-only disk":            {pathError("mkdir", syscall.EROFS), "/var/cache/weather", "/usr/x", `{"directory":"/usr/x"}`, "directory", noAccess},
	"a directory":               {readDirectory, "", "x", `{"path":"x"}`, "path", badInput},
	"a path through a file":     {pathError("open", syscall.ENOTDIR), "/etc/passwd/weather", "/etc/passwd/x", `{"path":"/etc/passwd/x"}`, "path", badInput},
	"an escape":                 {escape, "../../etc/weather.yaml", "../../etc/passwd", `{"path":"../../etc/passwd"}`, "path", badInput},
	"a rename":                  {rename, "/var/cache/weather.tmp", "/home/ann/a", `{"from":"/home/ann/a","to":"/home/ann/b"}`, "from", notFound},
	"bare number of the system": {words("load the profile of %q", syscall.ENOENT), "weather", "ann", `{"user":"ann"}`, "user", notFound},
	"bare sentinel":             {words("open %s", fs.ErrPermission), "/etc/weather/key.pem", "acct-0017", `{"account":"acct-0017"}`, "account", noAccess},
	"missing program":           {program, "weatherctl-none", "fooctl-none", `{"command":"fooctl-none --json"}`, "command", notFound},
	"missing program by path":   {start, "/opt/weather/bin/none", "/no/bin/foo", `{"command":["/no/bin/foo","-v"]}`, "command[0]", notFound},
	"forbidden program":         {pathError("fork/exec", syscall.EACCES), "/opt/weather/bin/ctl", "/etc/passwd", `{"program":"/etc/passwd"}`, "program", noAccess},

	"environment variable":     {number, "ten", "many", `{"limit":"many"}`, "limit", badInput},
	"empty variable":           {number, "", "12 pieces", `{"limit":" 12 pieces "}`, "limit", badInput},
	"number too large":         {number, "99999999999999999999", "100000000000000000000", `{"limit":1e20}`, "limit", tooLarge},
	"number with a fraction":   {number, "2.5", "10.50", `{"rows":[{"n":1},{"n":10.5}]}`, "rows[1].n", badInput},
	"one of a list":            {number, "ten", "x", `{"ids":"1, 2, x"}`, "ids", badInput},
	"truth value":              {truth, "enabled", "perhaps", `{"force":"perhaps"}`, "force", badInput},
	"HTML for JSON":            {decode, "<html><body>502</body></html>", "<html>", `{"payload":"<html>"}`, "payload", badInput},
	"text for JSON":            {decode, "upstream error", "use this", `{"filter":"use this"}`, "filter", badInput},
	"half a JSON text":         {decode, `{"temperature":`, `{"a":[1,`, `{"query":"{\"a\":[1,"}`, "query", badInput},
	"another JSON type":        {decode, `{"days":"seven"}`, `{"days":"two"}`, `{"query":"{\"days\":\"two\"}"}`, "query", badInput},
	"a list for an object":     {decode, `[]`, `[1]`, `{"items":["[1]"]}`, "items[0]", badInput},
	"arguments decoded again":  {decode, `{"days":"seven"}`, `{"city":"Berlin","days":"two"}`, `{"city":"Berlin","days":"two"}`, "days", badInput},
	"an unknown JSON member":   {strict, `{"humidity":1}`, `{"dayz":1}`, `{"dayz":1}`, "dayz", badInput},
	"bad XML":                  {decodeXML, "<a><b></a>", "<feed>\n</food>", `{"xml":"<feed>\n</food>"}`, "xml", badInput},
	"bad CSV":                  {readCSV, "a,b\n\"x\"y,1", "n\n1,2", `{"table":"n\n1,2"}`, "table", badInput},
	"bad base64":               {decodeBase64, "weather key!", "aGk*", `{"content":"aGk*"}`, "content", badInput},
	"bad hexadecimal":          {decodeHex, "key", "0f3zz", `{"color":"0f3zz"}`, "color", badInput},
	"bad YAML":                 {library("yaml: line 3: mapping values are not allowed in this context"), "", "", `{"spec":"a: 1\nb: 2\nc: d: e\n"}`, "spec", badInput},
	"bad date":                 {date, "Tuesday", "2026-13-01", `{"from":"2026-13-01"}`, "from", badInput},
	"bad duration":             {duration, "5 minutes", "soon", `{"wait":"soon"}`, "wait", badInput},
	"missing time zone":        {zone, "Europe/Atlantis", "Mars/Phobos", `{"zone":"Mars/Phobos"}`, "zone", badInput},
	"bad expression":           {expression, "weather(", "a(b", `{"pattern":"a(b"}`, "pattern", badInput},
	"bad template":             {parseTemplate, "{{.Weather", "Hi {{.Name", `{"text":"Hi {{.Name"}`, "text", badInput},
	"template without a value": {runTemplate, "{{.Weather.None}}", "Hi {{.Nam}}", `{"text":"Hi {{.Nam}}"}`, "text", badInput},
	"bad YAML in one line":     {library("yaml: mapping values are not allowed in this context"), "", "", `{"spec":"c: d: e"}`, "spec", badInput},
	"a key that is none":       {library("tls: failed to find any PEM data in key input"), "", "", `{"clientKey":"abc"}`, "clientKey", badInput},
	"bad mail address":         {address, "weather", "ann at example.com", `{"to":"ann at example.com"}`, "to", badInput},
	"bad identifier":           {library("invalid UUID length: 7"), "", "", `{"orderId":"ORD-117"}`, "orderId", badInput},
	"a document that is none":  {words("read %s", errors.New("gzip: invalid header")), "weather.gz", "/home/ann/a.gz", `{"file":"/home/ann/a.gz"}`, "file", badInput},
	"an argument by its name":  {words("argument %s", numError("")), "nothing", "size", `{"size":""}`, "size", badInput},
	"a converted argument":     {library(`1 error(s) decoding: 'limit' expected type 'int', got 'string'`), "", "", `{"limit":"x"}`, "limit", badInput},
	"bad URL":                  {parseURL, "://weather", "http://[::1", `{"url":"http://[::1"}`, "url", badInput},
	"bad escape":               {parseURL, "https://weather.example/%zz", "https://weather.example/100%gg", `{"item":"100%gg"}`, "item", badInput},
	"unknown scheme":           {get, "htps://weather.example/", "gopherr://x.example/a", `{"url":"GOPHERR://X.example/a"}`, "url", badInput},
	"unknown host":             {resolve("lookup"), "api.weather.invalid", "nowhere.invalid", `{"host":"Nowhere.Invalid."}`, "host", notFound},
	"unknown host of a URL":    {resolve("Get"), "api.weather.invalid", "nowhere.invalid", `{"page":"https://NOWHERE.invalid:8443/a?b=c"}`, "page", notFound},
	"unknown host of an order": {resolve("Get"), "api.weather.invalid", "shop-7.example.invalid", `{"tenant":"shop-7"}`, "tenant", notFound},
	"untrusted host":           {untrusted, "api.weather.example", "self-signed.example", `{"url":"https://self-signed.example/"}`, "url", noProof},
	"bad address":              {ip, "10.0.0", "10.0.0.300", `{"address":"10.0.0.300"}`, "address", badInput},
	"bad network":              {cidr, "10.0.0.0/99", "10.0.0.0/40", `{"network":"10.0.0.0/40"}`, "network", badInput},
}

func readFile(_ *testing.T, path string) error { _, err := os.ReadFile(path); return err }

func readDirectory(t *testing.T, name string) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	_ = os.MkdirAll(path, 0o700)
	return readFile(t, path)
}

func pathError(op string, err error) func(*testing.T, string) error {
	return func(_ *testing.T, path string) error { return &fs.PathError{Op: op, Path: path, Err: err} }
}

func escape(t *testing.T, path string) error {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	_, err = root.Open(path)
	return err
}

func rename(_ *testing.T, path string) error { return os.Rename(path, path+".new") }

func words(format string, err error) func(*testing.T, string) error {
	return func(_ *testing.T, what string) error { return fmt.Errorf(format+": %w", what, err) }
}

func library(text string) func(*testing.T, string) error {
	err := errors.New(text)
	if strings.Contains(text, "decoding") {
		err = fmt.Errorf("json: invalid: %w", err) // one of the known texts
		err = errors.New(err.Error())
	}
	return func(*testing.T, string) error { return err }
}

func program(_ *testing.T, name string) error { _, err := exec.LookPath(name); return err }

func start(t *testing.T, path string) error {
	t.Helper()
	return exec.CommandContext(t.Context(), path).Run()
}

func number(_ *testing.T, text string) error { _, err := strconv.ParseInt(text, 10, 64); return err }
func numError(text string) error             { return number(nil, text) }
func truth(_ *testing.T, text string) error  { _, err := strconv.ParseBool(text); return err }

type forecast struct {
	Days int `json:"days"`
}

func decode(_ *testing.T, text string) error {
	return json.Unmarshal([]byte(text), new(forecast))
}

func strict(_ *testing.T, text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(new(forecast))
}

func decodeXML(_ *testing.T, text string) error { return xml.Unmarshal([]byte(text), new(struct{})) }

func readCSV(_ *testing.T, text string) error {
	_, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	return err
}

func decodeBase64(_ *testing.T, text string) error {
	_, err := base64.StdEncoding.DecodeString(text)
	return err
}

func decodeHex(_ *testing.T, text string) error  { _, err := hex.DecodeString(text); return err }
func date(_ *testing.T, text string) error       { _, err := time.Parse(time.DateOnly, text); return err }
func duration(_ *testing.T, text string) error   { _, err := time.ParseDuration(text); return err }
func zone(_ *testing.T, text string) error       { _, err := time.LoadLocation(text); return err }
func expression(_ *testing.T, text string) error { _, err := regexp.Compile(text); return err }
func address(_ *testing.T, text string) error    { _, err := mail.ParseAddress(text); return err }
func ip(_ *testing.T, text string) error         { _, err := netip.ParseAddr(text); return err }
func cidr(_ *testing.T, text string) error       { _, _, err := net.ParseCIDR(text); return err }
func parseURL(_ *testing.T, text string) error   { _, err := url.Parse(text); return err }
func parseTemplate(_ *testing.T, text string) error {
	_, err := template.New("page").Parse(text)
	return err
}

func runTemplate(_ *testing.T, text string) error {
	return template.Must(template.New("page").Parse(text)).Execute(io.Discard, struct{ Name string }{})
}

func get(t *testing.T, text string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, text, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	return err
}

// resolve returns a function that fails like the system's resolver, without a network.
func resolve(op string) func(*testing.T, string) error {
	return func(_ *testing.T, host string) error {
		err := error(&net.DNSError{Err: "no such host", Name: host, IsNotFound: true})
		if op != "lookup" {
			err = &url.Error{Op: op, URL: "https://" + host + "/v1?q=Berlin", Err: &net.OpError{Op: "dial", Net: "tcp", Err: err}}
		}
		return err
	}
}

func untrusted(_ *testing.T, host string) error {
	return &url.Error{Op: "Get", URL: "https://" + host + "/", Err: x509.UnknownAuthorityError{Cert: &x509.Certificate{}}}
}
