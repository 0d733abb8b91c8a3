package evidence

import "slices"

// HasFile reports whether the arguments hold a path or program that an author's words
// name, or one that may have become it.
func (a *Arguments) HasFile(name string) bool {
	a.decode()
	return name != "" && slices.ContainsFunc(a.leaves, func(l leaf) bool {
		return likePath(&l, name) != unlike || likeProgram(&l, name) != unlike
	})
}
