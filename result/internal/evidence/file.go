package evidence

import "slices"

// HasFile reports whether the arguments contain a path or program that an author's text
// names, or a value from which it may have been made.
func (a *Arguments) HasFile(name string) bool {
	a.decode()
	return name != "" && slices.ContainsFunc(a.leaves, func(l leaf) bool {
		return scorePath(&l, name) != noMatch || scoreProgram(&l, name) != noMatch
	})
}
