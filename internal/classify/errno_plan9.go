package classify

import "syscall"

// An Errno is an error of the operating system. Plan 9 has texts in place of numbers.
type Errno = syscall.ErrorString

// Errors of connections, as the operating system has them: see the devices' own words in
// Plan 9's ip(3) and pipe(3).
const (
	ErrBrokenPipe = syscall.ErrorString("i/o on hungup channel")
	ErrReset      = syscall.ErrorString("connection reset")
	ErrRefused    = syscall.ErrorString("connection refused")
)

// fromErrno classifies an error of the operating system.
func fromErrno(e Errno, dialing bool) class {
	switch e {
	case syscall.ENOENT:
		return noFile
	case syscall.EACCES, syscall.EPERM:
		return fileDenied
	case syscall.EINVAL, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.EAFNOSUPPORT:
		return fileInvalid
	case syscall.EEXIST:
		return exists
	case syscall.EMFILE, syscall.EINTR, syscall.EBUSY, ErrRefused:
		return unavailable
	case ErrReset, ErrBrokenPipe:
		if dialing {
			return unavailable
		}
		return replyLost
	case syscall.ETIMEDOUT:
		return timeout(dialing)
	}
	return internal
}
