//go:build race && unix

package result_test

func init() { raceAllocations = 40 }
