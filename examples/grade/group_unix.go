//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup makes child the leader of a process group, so that killGroup also kills its children:
// npx and uvx start the server as a child.
func ownGroup(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(child *exec.Cmd) { _ = syscall.Kill(-child.Process.Pid, syscall.SIGKILL) }
