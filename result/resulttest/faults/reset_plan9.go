package faults

import "syscall"

var errReset error = syscall.ErrorString("connection reset") // as its network devices say
