// Package thirdparty measures how well toolerr.From classifies the errors of
// libraries that toolerr does not import. It is a separate module, so that
// users of toolerr do not depend on those libraries.
package thirdparty
