package classify

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

// standard classifies errors of the standard library by value and type.
func standard(err error, dialing bool) class {
	switch err { //nolint:errorlint // one link of the chain
	case context.Canceled:
		return canceled
	case context.DeadlineExceeded, os.ErrDeadlineExceeded:
		return timeout(dialing)
	case io.ErrUnexpectedEOF, io.EOF:
		return replyLost
	case fs.ErrNotExist, sql.ErrNoRows, exec.ErrNotFound, http.ErrNoCookie, http.ErrMissingFile:
		return notFound
	case fs.ErrExist:
		return exists
	case fs.ErrPermission:
		return denied
	case fs.ErrInvalid:
		return invalid
	case strconv.ErrSyntax:
		return unparsed
	case strconv.ErrRange:
		return outOfRange
	case driver.ErrBadConn:
		return unavailable // returned only if the server has done nothing
	case sql.ErrConnDone, sql.ErrTxDone, fs.ErrClosed, net.ErrClosed, io.ErrClosedPipe, http.ErrServerClosed:
		return internal // used after this side closed it
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
		return unparsed
	case *http.MaxBytesError:
		return outOfRange
	case *json.UnsupportedTypeError, *json.UnsupportedValueError, *json.InvalidUnmarshalError, *json.MarshalerError,
		*xml.UnsupportedTypeError, *exec.ExitError:
		return internal
	case *tls.CertificateVerificationError, x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError,
		x509.SystemRootsError, x509.ConstraintViolationError:
		return unauthenticated // the other side is not who it should be
	case *textproto.Error:
		return codesOf(smtpPackage).class(int64(e.Code))
	}
	return unknown
}

func timeout(dialing bool) class {
	if dialing {
		return notSent
	}
	return timedOut
}

// alias classifies an error that says of itself that it is one of the library's.
func alias(err interface{ Is(error) bool }, dialing bool) class {
	switch {
	case err.Is(context.Canceled):
		return canceled
	case err.Is(context.DeadlineExceeded), err.Is(os.ErrDeadlineExceeded):
		return timeout(dialing)
	case err.Is(fs.ErrNotExist), err.Is(sql.ErrNoRows):
		return notFound
	case err.Is(fs.ErrExist):
		return exists
	case err.Is(fs.ErrPermission):
		return denied
	}
	return unknown
}

func fromDNS(e *net.DNSError) class {
	switch {
	case e == nil:
		return unknown
	case e.IsTimeout:
		return notSent
	case e.IsNotFound:
		return notFound
	}
	return unavailable
}
