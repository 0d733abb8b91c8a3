package classify

import (
	"runtime"
	"syscall"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

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
		return class.Unavailable
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENETRESET, syscall.ENOTCONN:
		return class.ReplyLost
	case syscall.ETIMEDOUT:
		return class.TimedOut
	case syscall.ECANCELED:
		return class.Canceled
	}
	return class.Unknown
}
