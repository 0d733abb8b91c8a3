//go:build !unix

package retry_test

// play is for the tests that stop and kill processes.
func play() bool { return false }
