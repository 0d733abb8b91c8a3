package faults

import "syscall"

const errReset = syscall.ErrorString("connection reset") // as its network devices say
