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
	"errors"
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

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// standardFinding classifies errors of the standard library.
func standardFinding(err error, at place) (finding, bool) {
	if f, ok := sentinel(err, at.file); ok {
		return f, true
	}
	c := standard(err, at.dialing)
	if c == class.Internal || c.MayBeCallersFault() { // less specific than a timeout around it
		return found(c, low)
	}
	return found(c, high)
}

// standard classifies errors of the standard library by value and type.
func standard(err error, dialing bool) class.Class {
	switch err { //nolint:errorlint // one link of the chain
	case context.Canceled:
		return unsent(class.Canceled, dialing)
	case context.DeadlineExceeded, os.ErrDeadlineExceeded:
		return unsent(class.TimedOut, dialing)
	case io.ErrUnexpectedEOF, io.EOF:
		return class.ReplyLost
	case sql.ErrNoRows, http.ErrNoCookie, http.ErrMissingFile:
		return class.NotFound
	case exec.ErrNotFound:
		return class.NoProgram
	case fs.ErrExist:
		return class.Exists
	case strconv.ErrSyntax:
		return class.Unparsed
	case strconv.ErrRange:
		return class.UnparsedRange
	case driver.ErrBadConn:
		return class.ReplyLost // defined for requests that the server did not begin; lib/pq also returns it for ones that were sent
	case sql.ErrConnDone, sql.ErrTxDone, fs.ErrClosed, net.ErrClosed, io.ErrClosedPipe, http.ErrServerClosed:
		return class.Internal // used after it was closed on this side
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
		return class.Unparsed
	case *strconv.NumError:
		return unparsedNumber(e)
	case *http.MaxBytesError:
		return class.FileTooLarge
	case *json.UnsupportedTypeError, *json.UnsupportedValueError, *json.InvalidUnmarshalError, *json.MarshalerError,
		*xml.UnsupportedTypeError, *exec.ExitError:
		return class.Internal
	case *tls.CertificateVerificationError, x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError,
		x509.SystemRootsError, x509.ConstraintViolationError:
		return class.Untrusted
	case *textproto.Error:
		return codes.FromReply(int64(e.Code), e.Msg) // FTP has the same numbers
	}
	return class.Unknown
}

func unparsedNumber(e *strconv.NumError) class.Class {
	if e != nil && e.Err == strconv.ErrRange { //nolint:errorlint // as strconv sets it
		return class.UnparsedRange
	}
	return class.Unparsed
}

func fromProgram(e *exec.Error) class.Class {
	if e != nil && e.Err == fs.ErrPermission { //nolint:errorlint // as os/exec sets it
		return class.ProgramDenied
	}
	return class.NoProgram
}

// sentinel classifies the sentinels that os and io/fs return instead of an error number. Inside an
// error that names a file, a sentinel is about that file; otherwise, an author chose to return it.
func sentinel(err error, file bool) (f finding, ok bool) {
	switch err {
	case fs.ErrNotExist: //nolint:errorlint // one link of the chain
		f = finding{class: class.NotFound, doubt: class.NoFile}
	case fs.ErrPermission:
		f = finding{class: class.Denied, doubt: class.FileDenied}
	case fs.ErrInvalid:
		f = finding{class: class.Invalid, doubt: class.FileInvalid}
	default:
		return finding{}, false
	}
	f.confidence = high
	if file {
		f = finding{class: f.doubt, confidence: low}
	}
	return f, true
}

// wrapped classifies errors of the standard library that wrap others, but state what failed.
func wrapped(err error) class.Class {
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error:
		if e != nil && e.Op == "parse" {
			return class.Unparsed
		}
	case *exec.Error:
		return fromProgram(e)
	case *fs.PathError:
		if e == nil || e.Op != "fork/exec" {
			return class.Unknown
		}
		if e.Err == syscall.EACCES || e.Err == syscall.EPERM { //nolint:errorlint // as os sets it
			return class.ProgramDenied
		}
		return class.NoProgram
	}
	return class.Unknown
}

// unsent returns c or, while dialing, the class that states that nothing was sent.
func unsent(c class.Class, dialing bool) class.Class {
	if !dialing {
		return c
	}
	switch c { //nolint:exhaustive // the others are the same
	case class.TimedOut:
		return class.NotSent
	case class.ReplyLost:
		return class.Unavailable
	case class.Canceled:
		return class.CanceledUnsent
	}
	return c
}

func fromDNS(e *net.DNSError) class.Class {
	switch {
	case e == nil:
		return class.Unknown
	case e.IsTimeout:
		return class.NotSent
	case e.IsNotFound:
		return class.NoHost
	case errors.Is(e.Unwrap(), context.Canceled):
		return class.CanceledUnsent
	}
	return class.Unavailable
}
