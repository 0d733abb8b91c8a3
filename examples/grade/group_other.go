//go:build !unix

package main

import "os/exec"

// ownGroup does nothing where there are no groups.
func ownGroup(*exec.Cmd) {}

func killGroup(child *exec.Cmd) { _ = child.Process.Kill() }
