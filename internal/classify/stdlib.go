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
	case sql.ErrNoRows, http.ErrNoCookie, http.ErrMissingFile:
		return notFound
	case exec.ErrNotFound:
		return noProgram
	case fs.ErrExist:
		return exists
	case strconv.ErrSyntax:
		return unparsed
	case strconv.ErrRange:
		return unparsedRange
	case driver.ErrBadConn:
		return replyLost // meant for what the server has not begun; lib/pq returns it for what was sent, too
	case sql.ErrConnDone, sql.ErrTxDone, fs.ErrClosed, net.ErrClosed, io.ErrClosedPipe, http.ErrServerClosed:
		return internal // used after this side closed it
	}
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case Errno:
		return fromErrno(e, dialing)
	case *net.DNSError:
		return fromDNS(e)
	case *json.SyntaxError, *json.UnmarshalTypeError, *xml.SyntaxError, xml.UnmarshalError, *csv.ParseError,
		base64.CorruptInputError, hex.InvalidByteError, asn1.SyntaxError, asn1.StructuralError,
		*time.ParseError, *syntax.Error, *net.ParseError, *net.AddrError, net.InvalidAddrError, net.UnknownNetworkError,
		url.EscapeError, url.InvalidHostError:
		return unparsed
	case *strconv.NumError:
		return unparsedNumber(e)
	case *exec.Error:
		return fromProgram(e)
	case *http.MaxBytesError:
		return fileTooLarge
	case *json.UnsupportedTypeError, *json.UnsupportedValueError, *json.InvalidUnmarshalError, *json.MarshalerError,
		*xml.UnsupportedTypeError, *exec.ExitError:
		return internal
	case *tls.CertificateVerificationError, x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError,
		x509.SystemRootsError, x509.ConstraintViolationError:
		return untrusted
	case *textproto.Error:
		return fromReply(int64(e.Code), parseEnhanced(e.Msg)) // also of FTP, which has the same numbers
	}
	return unknown
}

func unparsedNumber(e *strconv.NumError) class {
	if e != nil && e.Err == strconv.ErrRange { //nolint:errorlint // as strconv sets it
		return unparsedRange
	}
	return unparsed
}

func fromProgram(e *exec.Error) class {
	if e != nil && e.Err == fs.ErrPermission { //nolint:errorlint // as os/exec sets it
		return programDenied
	}
	return noProgram
}

// sentinel classifies what os and io/fs have in the place of an error number. Inside an
// error that names a file it is about that file; by itself it is what an author has
// chosen to return.
func sentinel(err error, file bool) (f finding, ok bool) {
	switch err {
	case fs.ErrNotExist: //nolint:errorlint // one link of the chain
		f = finding{class: notFound, doubt: noFile}
	case fs.ErrPermission:
		f = finding{class: denied, doubt: fileDenied}
	case fs.ErrInvalid:
		f = finding{class: invalid, doubt: fileInvalid}
	default:
		return finding{}, false
	}
	f.confidence = high
	if file {
		f = finding{class: f.doubt, confidence: low}
	}
	return f, true
}

// wrapped classifies the errors of the standard library that wrap others, and say
// themselves what failed.
func wrapped(err error) class {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error:
		if e != nil && e.Op == "parse" {
			return unparsed
		}
	case *fs.PathError:
		if e == nil || e.Op != "fork/exec" {
			return unknown
		}
		if e.Err == syscall.EACCES || e.Err == syscall.EPERM { //nolint:errorlint // as os sets it
			return programDenied
		}
		return noProgram
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
		return noHost
	}
	return unavailable
}
