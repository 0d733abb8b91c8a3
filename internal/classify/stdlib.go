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
	// defined for requests that the server did not begin; lib/pq also returns it for ones that were sent
	{driver.ErrBadConn, class.ReplyLost, 0},
	{net.ErrClosed, class.Internal, 0}, // used after it was closed on this side, like those in sentinels.tsv
})

// standard classifies errors of the standard library by value and type.
func (t *typeInfo) standard(err error, at place) finding {
	c := t.class
	for _, s := range sentinels {
		if err == s.err { //nolint:errorlint // one link of the chain
			if c = s.class; at.file {
				c = cmp.Or(s.doubt, c)
			}
			return finding{class: c, confidence: confidenceIn(c), doubt: s.doubt}
		}
	}
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case syscall.Errno:
		c = cmp.Or(fromErrno(e), t.codes.Class(int64(e)), class.Internal) //nolint:gosec // small
	case *net.DNSError:
		c = fromDNS(e)
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

// programs has what the class of an error about a file means of a program that was to be started.
var programs = map[class.Class]class.Class{
	class.NoFile: class.NoProgram, class.FileDenied: class.ProgramDenied, class.FileInvalid: class.NoProgram,
	class.FileTooLarge: class.NoProgram, class.Unknown: class.NoProgram,
}

// unsent has what the class of a lost connection means while it is set up: nothing was sent.
var unsent = map[class.Class]class.Class{
	class.TimedOut: class.NotSent, class.ReplyLost: class.NotAccepted, class.Canceled: class.CanceledUnsent,
}

func fromDNS(e *net.DNSError) class.Class {
	switch {
	case e.IsTimeout:
		return class.NotSent
	case e.IsNotFound:
		return class.NoHost
	case errors.Is(e.Unwrap(), context.Canceled):
		return class.CanceledUnsent
	}
	return class.NotAccepted
}

// errnos are the error numbers that have a name on all systems, by class. The others are bugs, or Windows's own.
var errnos = []struct {
	class   class.Class
	numbers []syscall.Errno
}{
	{class.Exists, []syscall.Errno{syscall.EEXIST, syscall.ENOTEMPTY}}, // the same number on AIX
	{class.NoFile, []syscall.Errno{syscall.ENOENT, syscall.ESRCH, syscall.ENXIO, syscall.ENODEV}},
	{class.FileDenied, []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EROFS}},
	{class.FileInvalid, []syscall.Errno{
		syscall.EINVAL, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV,
		syscall.EAFNOSUPPORT, syscall.EDESTADDRREQ, syscall.EPROTONOSUPPORT, syscall.EMSGSIZE, syscall.EILSEQ,
		syscall.ENOEXEC,
	}},
	{class.FileTooLarge, []syscall.Errno{syscall.E2BIG, syscall.EFBIG, syscall.ERANGE, syscall.EOVERFLOW, syscall.EDOM}},
	{class.Limit, []syscall.Errno{syscall.EDQUOT}},
	{class.Exhausted, []syscall.Errno{syscall.ENOSPC}}, // an operator has to free space
	{class.NotAccepted, []syscall.Errno{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.EINTR, syscall.EAGAIN, syscall.EBUSY,
		syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.ENOLCK, syscall.EDEADLK, syscall.ECONNREFUSED,
		syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN,
	}},
	{class.ReplyLost, []syscall.Errno{
		syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENETRESET, syscall.ENOTCONN,
	}},
	{class.TimedOut, []syscall.Errno{syscall.ETIMEDOUT}},
	{class.Canceled, []syscall.Errno{syscall.ECANCELED}},
}

func fromErrno(e syscall.Errno) class.Class {
	if runtime.GOOS == "windows" && e == syscall.ENOTDIR { // ERROR_PATH_NOT_FOUND has its number
		return class.NoFile
	}
	for _, row := range errnos {
		if slices.Contains(row.numbers, e) {
			return row.class
		}
	}
	return class.Unknown
}
