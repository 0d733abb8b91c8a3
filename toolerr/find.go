package toolerr

// find returns the first *Error in err's chain. A bare nil pointer is one: no
// failure; one that is wrapped is not.
func find(err error) (e *Error, ok bool) {
	if e, ok := err.(*Error); ok { //nolint:errorlint // the bare one
		return e, true
	}
	defer func() {
		if recover() != nil {
			e, ok = nil, false
		}
	}()
	w := walker{left: maxErrors}
	e = w.first(err)
	return e, e != nil
}

func (w *walker) first(err error) *Error {
	for err != nil {
		if w.left--; w.left < 0 {
			return nil
		}
		if e := explicit(err); e != nil {
			return e
		}
		switch x := err.(type) { //nolint:errorlint // one link of the chain
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, branch := range x.Unwrap() {
				if e := w.first(branch); e != nil {
					return e
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}
