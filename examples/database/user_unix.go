//go:build unix

package main

import "syscall"

// becomeUser gives up root for good: groups first, since a plain user may not change them.
func becomeUser(uid int) error {
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setgid(uid); err != nil {
		return err
	}
	return syscall.Setuid(uid)
}
