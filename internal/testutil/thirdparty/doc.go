// Package thirdparty measures how well toolerr.From classifies the errors of
// libraries that toolerr does not import. It is a module of its own, so that
// nobody who uses toolerr gets those libraries.
package thirdparty
