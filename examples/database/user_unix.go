//go:build unix

package main

import "syscall"

// becomeUser gives up root permanently: groups first, because an ordinary user may not change them.
func becomeUser(uid int) error {
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setgid(uid); err != nil {
		return err
	}
	return syscall.Setuid(uid)
}
