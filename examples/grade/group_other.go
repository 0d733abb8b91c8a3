//go:build !unix

package main

import "os/exec"

// ownGroup does nothing on systems without process groups.
func ownGroup(*exec.Cmd) {}

func killGroup(child *exec.Cmd) { _ = child.Process.Kill() }
