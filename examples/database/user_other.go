//go:build !unix

package main

import "errors"

func becomeUser(int) error { return errors.ErrUnsupported }
