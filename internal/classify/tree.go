package classify

// maxErrors is the maximum number of errors read in a tree. A tree of ten is large, but one that
// unwraps to itself never ends.
const maxErrors = 10_000

// unwrap returns what err wraps: the branches of a join, or one error.
func unwrap(err error) (branches []error, inner error) {
	switch x := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ WrappedErrors() []error }: // go-multierror chains them
		return x.WrappedErrors(), nil
	case interface{ Unwrap() error }:
		return nil, x.Unwrap()
	case interface{ OrigErr() error }: // the AWS SDK's first version
		return nil, x.OrigErr()
	case interface{ Unwrap() []error }:
		return x.Unwrap(), nil
	}
	return nil, nil
}

// Find returns the result of match for the first error in err's tree that match accepts, depth
// first. It reads at most 10,000 errors, and returns false if a method of one of them panics.
func Find[T any](err error, match func(error) (T, bool)) (found T, ok bool) {
	defer func() { _ = recover() }()
	left := maxErrors
	return find(err, match, &left)
}

func find[T any](err error, match func(error) (T, bool), left *int) (found T, ok bool) {
	for err != nil {
		if *left--; *left < 0 {
			break
		}
		if m, ok := match(err); ok {
			return m, true
		}
		branches, inner := unwrap(err)
		for _, branch := range branches {
			if m, ok := find(branch, match, left); ok {
				return m, true
			}
		}
		err = inner
	}
	return found, false
}
