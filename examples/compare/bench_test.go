package main

import "testing"

// BenchmarkCosts runs the program's measurements for profiles. It measures each library
// by itself, so that its figures cannot be compared.
func BenchmarkCosts(b *testing.B) {
	for _, s := range situations {
		for _, way := range s.ways(b.Context()) {
			b.Run(s.name+"/"+way.Name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := way.Call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
