package evidence

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
)

// inspect searches for the names in an error.
func (s *search) inspect(err error) {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *fs.PathError:
		s.find(e.Path, scorePath)
	case *os.LinkError:
		s.find(e.Old, scorePath)
		s.find(e.New, scorePath)
	case *exec.Error:
		s.find(e.Name, scoreProgram)
	case *strconv.NumError:
		s.find(e.Num, scoreText)
		s.named = true // also if the text is empty
	case *time.ParseError:
		s.find(e.Value, scoreText)
		s.named = true
	case *url.Error:
		s.find(e.URL, scoreURL)
	case url.EscapeError:
		s.find(string(e), scoreWithin)
	case url.InvalidHostError:
		s.find(string(e), scoreWithin)
	default:
		if !s.inspectNetwork(err) && !s.inspectParser(err) && s.last {
			s.inspectText(err)
		}
	}
}

// inspectNetwork searches for the host or address of an error, and reports whether it is a
// network error.
func (s *search) inspectNetwork(err error) bool {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *net.DNSError:
		s.find(strings.TrimSuffix(e.Name, "."), scoreHost)
		s.named = true
	case *net.OpError:
		if e.Addr != nil {
			s.find(e.Addr.String(), scoreText)
		}
	case *net.ParseError:
		s.find(e.Text, scoreText)
	case *net.AddrError:
		s.find(e.Addr, scoreText)
	case net.InvalidAddrError:
		s.find(string(e), scoreWithin)
	case net.UnknownNetworkError:
		s.find(string(e), scoreText)
	case x509.HostnameError:
		s.find(e.Host, scoreHost)
	default:
		return false
	}
	return true
}

// inspectParser searches for an argument that fails to parse with the same error, and
// reports whether it is a parser's error.
func (s *search) inspectParser(err error) bool {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *json.SyntaxError:
		s.parsed(func(l *leaf) bool { return failsJSON(l, e) })
	case *json.UnmarshalTypeError:
		s.mistyped(e)
	case *xml.SyntaxError:
		s.parsed(func(l *leaf) bool { return failsXML(l.text, e) })
	case *csv.ParseError:
		s.parsed(func(l *leaf) bool { return failsCSV(l.text, e) })
	case base64.CorruptInputError:
		s.parsed(func(l *leaf) bool { return failsBase64(l.text, e) })
	case hex.InvalidByteError:
		s.parsed(func(l *leaf) bool { return failsHex(l, e) })
	case *syntax.Error:
		s.parsed(func(l *leaf) bool { return failsRegexp(l.text, e) })
	default:
		return false
	}
	return true
}
