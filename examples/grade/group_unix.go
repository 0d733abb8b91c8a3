//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup starts a child as the leader of a group, so that what it starts ends
// with it: npx and uvx are no servers themselves.
func ownGroup(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(child *exec.Cmd) { _ = syscall.Kill(-child.Process.Pid, syscall.SIGKILL) }
