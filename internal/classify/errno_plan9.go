package classify

import (
	"syscall"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// An Errno is an error of the operating system. Plan 9 has texts instead of numbers.
type Errno = syscall.ErrorString

// The errors of broken and refused connections, in the words of Plan 9's ip(3) and pipe(3).
const (
	ErrBrokenPipe = syscall.ErrorString("i/o on hungup channel")
	ErrReset      = syscall.ErrorString("connection reset")
	ErrRefused    = syscall.ErrorString("connection refused")
)

// fromErrno classifies an error of the operating system.
func fromErrno(e Errno, dialing bool) class.Class {
	switch e {
	case syscall.ENOENT:
		return class.NoFile
	case syscall.EACCES, syscall.EPERM:
		return class.FileDenied
	case syscall.EINVAL, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.EAFNOSUPPORT:
		return class.FileInvalid
	case syscall.EEXIST:
		return class.Exists
	case syscall.EMFILE, syscall.EINTR, syscall.EBUSY, ErrRefused:
		return class.Unavailable
	case ErrReset, ErrBrokenPipe:
		if dialing {
			return class.Unavailable
		}
		return class.ReplyLost
	case syscall.ETIMEDOUT:
		return unsent(class.TimedOut, dialing)
	}
	return class.Internal
}
