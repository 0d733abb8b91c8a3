package faults

import "syscall"

var errReset error = syscall.ErrorString("connection reset") // the text of its network devices
