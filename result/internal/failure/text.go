package failure

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// WithText returns an error whose text can be read without a panic, for the log.
func WithText(err error) error {
	if err == nil || isConstant(err) {
		return err
	}
	return &textError{err, sdktext.Of(err)}
}

// A textError is an error with its text.
type textError struct {
	error

	text string
}

func (k *textError) Error() string { return k.text }
func (k *textError) Unwrap() error { return k.error }

// constantTypes are types of errors whose text is set once.
var constantTypes = []reflect.Type{
	reflect.TypeOf(errors.New("")),
	reflect.TypeOf(fmt.Errorf("%d", 0)), //nolint:err113,forbidigo,perfsprint // for its type
	reflect.TypeOf(fmt.Errorf("%w", fs.ErrInvalid)),
	reflect.TypeOf(fmt.Errorf("%w%w", fs.ErrInvalid, fs.ErrInvalid)),
	reflect.TypeFor[*toolerr.Error](),
}

// isConstant reports whether the text of an error is set once.
func isConstant(err error) bool { return slices.Contains(constantTypes, reflect.TypeOf(err)) }
