package toolerr

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"database/sql/driver"
	"encoding/asn1"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"regexp/syntax"
	"strconv"
	"syscall"
	"time"
)

// inspect judges one error of a chain by itself.
func inspect(err error, dialing bool) finding {
	if transparent(err) {
		return finding{}
	}
	if v := standard(err, dialing); v.known() {
		if v == vInternal { // says less than a timeout around it
			return finding{verdict: v, weight: weak}
		}
		return finding{verdict: v, weight: solid}
	}
	if x, ok := err.(interface{ Is(error) bool }); ok {
		if v := alias(x, dialing); v.known() {
			return finding{verdict: v, weight: solid}
		}
	}
	return foreign(err, dialing)
}

// standard judges errors of the standard library by value and type.
func standard(err error, dialing bool) verdict {
	switch err { //nolint:errorlint // one link of the chain
	case context.Canceled:
		return vCanceled
	case context.DeadlineExceeded, os.ErrDeadlineExceeded:
		return timeout(dialing)
	case io.ErrUnexpectedEOF, io.EOF:
		return vBroken
	case fs.ErrNotExist, sql.ErrNoRows, exec.ErrNotFound, http.ErrNoCookie, http.ErrMissingFile:
		return vNotFound
	case fs.ErrExist:
		return vExists
	case fs.ErrPermission:
		return vDenied
	case fs.ErrInvalid:
		return vInvalid
	case strconv.ErrSyntax:
		return vUnparsed
	case strconv.ErrRange:
		return vOutOfRange
	case driver.ErrBadConn:
		return vUnavailable // returned only where the server has done nothing
	case sql.ErrConnDone, sql.ErrTxDone, fs.ErrClosed, net.ErrClosed, io.ErrClosedPipe, http.ErrServerClosed:
		return vInternal // used after this side closed it
	}
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case syscall.Errno:
		return fromErrno(e, dialing)
	case *net.DNSError:
		return fromDNS(e)
	case *json.SyntaxError, *json.UnmarshalTypeError, *xml.SyntaxError, xml.UnmarshalError, *csv.ParseError,
		base64.CorruptInputError, hex.InvalidByteError, asn1.SyntaxError, asn1.StructuralError, *strconv.NumError,
		*time.ParseError, *syntax.Error, *net.ParseError, *net.AddrError, net.InvalidAddrError, net.UnknownNetworkError,
		url.EscapeError, url.InvalidHostError:
		return vUnparsed
	case *http.MaxBytesError:
		return vOutOfRange
	case *json.UnsupportedTypeError, *json.UnsupportedValueError, *json.InvalidUnmarshalError, *json.MarshalerError,
		*xml.UnsupportedTypeError, *exec.ExitError:
		return vInternal
	case *tls.CertificateVerificationError, x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError,
		x509.SystemRootsError, x509.ConstraintViolationError:
		return vUnauthenticated // the other side is not who it should be
	case *textproto.Error:
		return fromReplyCode(e.Code)
	}
	return verdict{}
}

func timeout(dialing bool) verdict {
	if dialing {
		return vNotSent
	}
	return vTimeout
}

// alias judges an error that says of itself that it is one of the library's.
func alias(err interface{ Is(error) bool }, dialing bool) verdict {
	switch {
	case err.Is(context.Canceled):
		return vCanceled
	case err.Is(context.DeadlineExceeded), err.Is(os.ErrDeadlineExceeded):
		return timeout(dialing)
	case err.Is(fs.ErrNotExist), err.Is(sql.ErrNoRows):
		return vNotFound
	case err.Is(fs.ErrExist):
		return vExists
	case err.Is(fs.ErrPermission):
		return vDenied
	}
	return verdict{}
}

func fromDNS(e *net.DNSError) verdict {
	switch {
	case e == nil:
		return verdict{}
	case e.IsTimeout:
		return vNotSent
	case e.IsNotFound:
		return vNotFound
	}
	return vUnavailable
}

// fromReplyCode judges a reply of SMTP (RFC 5321) or FTP (RFC 959): 4yz may be
// tried again, 5yz not.
func fromReplyCode(code int) verdict {
	switch {
	case code == 430 || code == 530 || code == 534 || code == 535 || code == 538:
		return vUnauthenticated
	case code == 532 || code == 550 || code == 551 || code == 553 || code == 571:
		return vDenied
	case code == 552 || code == 452:
		return vExhausted
	case code >= 400 && code < 500:
		return vUnavailable
	case code >= 500 && code < 600:
		return vInvalid
	}
	return verdict{}
}
