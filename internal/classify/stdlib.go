package classify

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"syscall"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// A sentinel is an error of the standard library with its class. One with a doubt is about the file
// that an error around it names, if there is one; otherwise, an author chose to return it.
type sentinel struct {
	err          error
	class, doubt class.Class
}

// aliases are those that other errors match by an Is method.
var aliases = []sentinel{
	{context.Canceled, class.Canceled, 0},
	{context.DeadlineExceeded, class.TimedOut, 0},
	{os.ErrDeadlineExceeded, class.TimedOut, 0},
	{fs.ErrNotExist, class.NotFound, class.NoFile},
	{sql.ErrNoRows, class.NotFound, 0},
	{fs.ErrExist, class.Exists, 0},
	{fs.ErrPermission, class.Denied, class.FileDenied},
}

var sentinels = slices.Concat(aliases, []sentinel{
	{fs.ErrInvalid, class.Invalid, class.FileInvalid},
	{io.ErrUnexpectedEOF, class.ReplyLost, 0},
	{io.EOF, class.ReplyLost, 0},
	{http.ErrNoCookie, class.NotFound, 0},
	{http.ErrMissingFile, class.NotFound, 0},
	{exec.ErrNotFound, class.NoProgram, 0},
	{strconv.ErrSyntax, class.Unparsed, 0},
	{strconv.ErrRange, class.UnparsedRange, 0},
	{driver.ErrBadConn, class.ReplyLost, 0}, // defined for requests that the server did not begin; lib/pq also returns it for ones that were sent
	{sql.ErrConnDone, class.Internal, 0},    // this one and the next were used after they were closed on this side
	{sql.ErrTxDone, class.Internal, 0},
	{fs.ErrClosed, class.Internal, 0},
	{net.ErrClosed, class.Internal, 0},
	{io.ErrClosedPipe, class.Internal, 0},
	{http.ErrServerClosed, class.Internal, 0},
})

// standard classifies errors of the standard library by value and type.
func (t *typeInfo) standard(err error, at place) finding {
	for _, s := range sentinels {
		switch {
		case err != s.err: //nolint:errorlint // one link of the chain
		case at.file && s.doubt != class.Unknown:
			return found(s.doubt, low)
		default:
			f := found(s.class, confidenceIn(s.class))
			f.doubt = s.doubt
			return f
		}
	}
	c := t.class
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case Errno:
		c = cmp.Or(fromErrno(e), t.codes.Class(int64(e)), class.Internal) //nolint:gosec // small
	case *net.DNSError:
		c = fromDNS(e)
	case *strconv.NumError:
		if e != nil && e.Err == strconv.ErrRange { //nolint:errorlint // as strconv sets it
			c = class.UnparsedRange
		}
	case *textproto.Error:
		c = codes.FromReply(int64(e.Code), e.Msg) // FTP has the same numbers
	}
	return found(c, confidenceIn(c))
}

// confidenceIn returns the confidence in a class: the tool's trouble is less specific than a timeout around it.
func confidenceIn(c class.Class) confidence {
	if c == class.Internal || c.AsCallersFault().Known() {
		return low
	}
	return high
}

// wrapped classifies errors of the standard library that wrap others, but state what failed.
func wrapped(err error) class.Class {
	isProgram := false
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *url.Error:
		if e != nil && e.Op == "parse" {
			return class.Unparsed
		}
	case *exec.Error:
		isProgram, err = true, nil
		if e != nil {
			err = e.Err
		}
	case *fs.PathError:
		if isProgram = e != nil && e.Op == "fork/exec"; isProgram {
			err = e.Err
		}
	}
	switch {
	case !isProgram:
		return class.Unknown
	case errors.Is(err, fs.ErrPermission):
		return class.ProgramDenied
	}
	return class.NoProgram
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
		return class.NotAccepted
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
	return class.NotAccepted
}

// An Errno is an error number of the operating system.
type Errno = syscall.Errno //nolint:errname // package syscall has this name

// The errors of broken and refused connections.
const (
	ErrBrokenPipe = syscall.EPIPE
	ErrReset      = syscall.ECONNRESET
	ErrRefused    = syscall.ECONNREFUSED
)

// fromErrno classifies an error number that has a name on all systems.
func fromErrno(e Errno) class.Class {
	if runtime.GOOS == "windows" && e == syscall.ENOTDIR { // ERROR_PATH_NOT_FOUND has its number
		return class.NoFile
	}
	if e == syscall.EEXIST || e == syscall.ENOTEMPTY { // the same number on AIX
		return class.Exists
	}
	switch e { //nolint:exhaustive // the others are bugs, or Windows's own
	case syscall.ENOENT, syscall.ESRCH, syscall.ENXIO, syscall.ENODEV:
		return class.NoFile
	case syscall.EACCES, syscall.EPERM, syscall.EROFS:
		return class.FileDenied
	case syscall.EINVAL, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV,
		syscall.EAFNOSUPPORT, syscall.EDESTADDRREQ, syscall.EPROTONOSUPPORT, syscall.EMSGSIZE, syscall.EILSEQ, syscall.ENOEXEC:
		return class.FileInvalid
	case syscall.E2BIG, syscall.EFBIG, syscall.ERANGE, syscall.EOVERFLOW, syscall.EDOM:
		return class.FileTooLarge
	case syscall.EDQUOT:
		return class.Limit
	case syscall.ENOSPC:
		return class.Exhausted // an operator has to free space
	case syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.EINTR, syscall.EAGAIN, syscall.EBUSY,
		syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.ENOLCK, syscall.EDEADLK, syscall.ECONNREFUSED, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN:
		return class.NotAccepted
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENETRESET, syscall.ENOTCONN:
		return class.ReplyLost
	case syscall.ETIMEDOUT:
		return class.TimedOut
	case syscall.ECANCELED:
		return class.Canceled
	}
	return class.Unknown
}
