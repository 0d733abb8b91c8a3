//go:build !plan9

package classify

import (
	"runtime"
	"syscall"
)

// An Errno is an error of the operating system.
type Errno = syscall.Errno

// Errors of connections, as the operating system has them.
const (
	ErrBrokenPipe = syscall.EPIPE
	ErrReset      = syscall.ECONNRESET
	ErrRefused    = syscall.ECONNREFUSED
)

// fromErrno classifies an error number of the operating system.
func fromErrno(e Errno, dialing bool) class {
	if runtime.GOOS == "windows" {
		if c := winsock(e); c != unknown {
			return c
		}
	}
	if e == syscall.EEXIST || e == syscall.ENOTEMPTY { // one number on AIX
		return exists
	}
	switch e { //nolint:exhaustive // the others are bugs
	case syscall.ENOENT, syscall.ESRCH, syscall.ENXIO, syscall.ENODEV:
		return noFile
	case syscall.EACCES, syscall.EPERM, syscall.EROFS:
		return fileDenied
	case syscall.EINVAL, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV,
		syscall.EAFNOSUPPORT, syscall.EDESTADDRREQ, syscall.EPROTONOSUPPORT, syscall.EMSGSIZE, syscall.EILSEQ, syscall.ENOEXEC:
		return fileInvalid
	case syscall.E2BIG, syscall.EFBIG, syscall.ERANGE, syscall.EOVERFLOW, syscall.EDOM:
		return fileTooLarge
	case syscall.EDQUOT:
		return limit
	case syscall.ENOSPC:
		return exhausted // somebody must free space
	case syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.EINTR, syscall.EAGAIN, syscall.EBUSY,
		syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.ENOLCK, syscall.EDEADLK:
		return unavailable
	case syscall.ECONNREFUSED, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN:
		return unavailable
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENETRESET, syscall.ENOTCONN:
		if dialing {
			return unavailable
		}
		return replyLost
	case syscall.ETIMEDOUT:
		return timeout(dialing)
	case syscall.ECANCELED:
		return canceled
	}
	return internal
}

// winsock classifies the numbers that Windows has for a broken network, which are not
// those that package syscall names after POSIX.
func winsock(e Errno) class {
	switch e { //nolint:exhaustive // the others are known under their names
	case 10051, 10055, 10061, 10065: // WSAENETUNREACH, WSAENOBUFS, WSAECONNREFUSED, WSAEHOSTUNREACH
		return unavailable
	case 10053, 10054: // WSAECONNABORTED, WSAECONNRESET
		return replyLost
	case 10060: // WSAETIMEDOUT
		return timedOut
	}
	return unknown
}
