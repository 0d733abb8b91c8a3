//go:build unix

package main

import "syscall"

// becomeUser gives up root permanently. It drops the groups first, because an ordinary user cannot.
func becomeUser(uid int) error {
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setgid(uid); err != nil {
		return err
	}
	return syscall.Setuid(uid)
}
