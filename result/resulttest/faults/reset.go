//go:build !plan9

package faults

import "syscall"

var errReset error = syscall.ECONNRESET
