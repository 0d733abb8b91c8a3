package toolerr

import (
	"runtime"
	"syscall"
)

// fromErrno judges an error number of the operating system.
func fromErrno(e syscall.Errno, dialing bool) verdict {
	if runtime.GOOS == "windows" {
		if v, ok := winsock[e]; ok {
			return v
		}
	}
	if e == syscall.EEXIST || e == syscall.ENOTEMPTY { // one number on AIX
		return vExists
	}
	switch e { //nolint:exhaustive // the others are bugs
	case syscall.ENOENT, syscall.ESRCH, syscall.ENXIO, syscall.ENODEV:
		return vNotFound
	case syscall.EACCES, syscall.EPERM, syscall.EROFS:
		return vDenied
	case syscall.EINVAL, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV,
		syscall.EAFNOSUPPORT, syscall.EDESTADDRREQ, syscall.EPROTONOSUPPORT, syscall.EMSGSIZE, syscall.EILSEQ, syscall.ENOEXEC:
		return vInvalid
	case syscall.E2BIG, syscall.EFBIG, syscall.ERANGE, syscall.EOVERFLOW, syscall.EDOM:
		return vOutOfRange
	case syscall.EDQUOT:
		return vLimit
	case syscall.ENOSPC:
		return vExhausted // somebody must free space
	case syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.EINTR, syscall.EAGAIN, syscall.EBUSY,
		syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.ENOLCK, syscall.EDEADLK:
		return vUnavailable
	case syscall.ECONNREFUSED, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN:
		return vUnavailable
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENETRESET, syscall.ENOTCONN:
		if dialing {
			return vUnavailable
		}
		return vBroken
	case syscall.ETIMEDOUT:
		return timeout(dialing)
	case syscall.ECANCELED:
		return vCanceled
	}
	return vInternal
}

// winsock are the numbers that Windows has for a broken network, which are not
// those that package syscall names after POSIX.
var winsock = map[syscall.Errno]verdict{
	10051: vUnavailable, // WSAENETUNREACH
	10053: vBroken,      // WSAECONNABORTED
	10054: vBroken,      // WSAECONNRESET
	10055: vUnavailable, // WSAENOBUFS
	10060: vTimeout,     // WSAETIMEDOUT
	10061: vUnavailable, // WSAECONNREFUSED
	10065: vUnavailable, // WSAEHOSTUNREACH
}
