//go:build !plan9

package faults

import "syscall"

const errReset = syscall.ECONNRESET
