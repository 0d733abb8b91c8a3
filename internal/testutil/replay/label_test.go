package replay_test

import (
	"slices"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A label is a person's assessment of a failure: the correct claims, and the steps that
// do not misdirect.
type label struct {
	categories []toolerr.Category
	codes      []toolerr.Code // codes of other authors are correct too
	retry      bool           // a repeat may succeed
	// rejected: the type of the error proves that the call was refused before it was carried out.
	rejected bool
	// internal: nothing is known except that the tool failed.
	internal bool
	// silent: the text does not show the kind of failure.
	silent bool
	steps  []step
}

var (
	validation = []toolerr.Category{toolerr.CategoryValidation}
	business   = []toolerr.Category{toolerr.CategoryBusiness}
	permission = []toolerr.Category{toolerr.CategoryPermission}
	transient  = []toolerr.Category{toolerr.CategoryTransient}
)

func codes(all ...toolerr.Code) []toolerr.Code { return all }

func steps(all ...step) []step { return all }

// kinds are the labels. Each case names one.
var kinds = map[string]label{
	"missing_argument": {
		categories: validation, codes: codes(toolerr.CodeMissingArgument, toolerr.CodeInvalidArgument),
		rejected: true, steps: steps(stepFix),
	},
	"invalid_argument": {
		categories: validation, codes: codes(toolerr.CodeInvalidArgument, toolerr.CodeOutOfRange),
		rejected: true, steps: steps(stepFix),
	},
	"not_found": {
		categories: validation, codes: codes(toolerr.CodeNotFound, toolerr.CodeInvalidArgument),
		rejected: true, steps: steps(stepFix),
	},
	// A path outside the server's allowed directories.
	"outside": {
		categories: slices.Concat(permission, validation),
		codes:      codes(toolerr.CodePermissionDenied, toolerr.CodeInvalidArgument, toolerr.CodeOutOfRange),
		rejected:   true, steps: steps(stepFix, stepAccess),
	},
	"exists": {
		categories: slices.Concat(business, validation),
		codes:      codes(toolerr.CodeAlreadyExists, toolerr.CodeConflict, toolerr.CodeInvalidArgument),
		rejected:   true, steps: steps(stepFix, stepState, stepEscalate),
	},
	// The current state forbids it.
	"state": {
		categories: slices.Concat(business, validation),
		codes:      codes(toolerr.CodeConflict, toolerr.CodeFailedPrecondition, toolerr.CodeInvalidArgument),
		rejected:   true, steps: steps(stepFix, stepState, stepEscalate),
	},
	// The current state forbids it until another action is finished.
	"busy": {
		categories: slices.Concat(business, validation, transient),
		codes: codes(toolerr.CodeConflict, toolerr.CodeFailedPrecondition, toolerr.CodeInvalidArgument,
			toolerr.CodeUnavailable),
		retry: true, rejected: true, steps: steps(stepFix, stepState, stepEscalate, stepWait, stepTell),
	},
	// The repository has no commit yet: a state, or a branch that is not found.
	"state_or_missing": {
		categories: slices.Concat(business, validation),
		codes:      codes(toolerr.CodeNotFound, toolerr.CodeFailedPrecondition, toolerr.CodeInvalidArgument),
		rejected:   true, steps: steps(stepFix, stepState, stepEscalate),
	},
	// The server's own credentials are refused.
	"credentials": {
		categories: permission, codes: codes(toolerr.CodeUnauthenticated, toolerr.CodePermissionDenied),
		rejected: true, steps: steps(stepAccess),
	},
	"denied": {
		categories: permission,
		codes:      codes(toolerr.CodePermissionDenied, toolerr.CodeInsufficientScope, toolerr.CodeUnauthenticated),
		rejected:   true, steps: steps(stepAccess),
	},
	"rate": {
		categories: transient, codes: codes(toolerr.CodeRateLimited), retry: true, rejected: true,
		steps: steps(stepWait, stepTell),
	},
	"unavailable": {
		categories: transient, codes: codes(toolerr.CodeUnavailable, toolerr.CodeTimeout, toolerr.CodeInternal), retry: true,
		steps: steps(stepWait, stepTell),
	},
	// The service refused the connection, or says that it is down and when to come back:
	// nothing was done.
	"refused": {
		categories: transient, codes: codes(toolerr.CodeUnavailable, toolerr.CodeInternal), retry: true, rejected: true,
		steps: steps(stepWait, stepTell),
	},
	"timeout": {
		categories: transient, codes: codes(toolerr.CodeTimeout, toolerr.CodeUnavailable), retry: true,
		steps: steps(stepWait, stepTell),
	},
	// The service behind the tool has an internal failure.
	"upstream": {
		categories: transient, codes: codes(toolerr.CodeInternal, toolerr.CodeUnavailable), retry: true, internal: true,
		steps: steps(stepWait, stepTell),
	},
	// The tool has an internal failure, and will fail again.
	"broken": {
		categories: transient, codes: codes(toolerr.CodeInternal, toolerr.CodeUnavailable), internal: true,
		steps: steps(stepTell),
	},
	// An address in the arguments refused the connection.
	"unreachable": {
		categories: slices.Concat(transient, validation), retry: true,
		codes: codes(toolerr.CodeUnavailable, toolerr.CodeInternal, toolerr.CodeInvalidArgument, toolerr.CodeNotFound),
		steps: steps(stepWait, stepTell, stepFix),
	},
	"quota": {
		categories: slices.Concat(business, permission),
		codes:      codes(toolerr.CodeLimitExceeded, toolerr.CodePermissionDenied, toolerr.CodeFailedPrecondition),
		rejected:   true, steps: steps(stepEscalate, stepAccess),
	},
	// The service has no storage left.
	"full": {
		categories: slices.Concat(business, transient), retry: true,
		codes: codes(toolerr.CodeLimitExceeded, toolerr.CodeUnavailable, toolerr.CodeInternal),
		steps: steps(stepEscalate, stepWait, stepTell),
	},
	// The value exceeds the remaining capacity.
	"size": {
		categories: slices.Concat(business, validation),
		codes: codes(toolerr.CodeLimitExceeded, toolerr.CodeOutOfRange, toolerr.CodeInvalidArgument,
			toolerr.CodeFailedPrecondition),
		rejected: true, steps: steps(stepEscalate, stepFix),
	},
	// A policy forbids it.
	"policy": {
		categories: slices.Concat(business, permission, validation),
		codes: codes(toolerr.CodePermissionDenied, toolerr.CodeFailedPrecondition, toolerr.CodeInvalidArgument,
			toolerr.CodeUnauthenticated),
		rejected: true, steps: steps(stepEscalate, stepAccess, stepFix),
	},
	// The text says not found; another failure was provoked.
	"misled": {
		categories: slices.Concat(validation, business, transient), codes: codes(toolerr.CodeNotFound, toolerr.CodeInternal),
		internal: true, steps: steps(stepFix, stepTell),
	},
	// The text says that it does not exist or is not accessible.
	"misled_denied": {
		categories: slices.Concat(validation, permission),
		codes:      codes(toolerr.CodeNotFound, toolerr.CodePermissionDenied, toolerr.CodeUnauthenticated),
		rejected:   true, steps: steps(stepFix, stepAccess),
	},
	"unknown": {
		categories: transient, codes: codes(toolerr.CodeInternal), internal: true, silent: true, steps: steps(stepTell),
	},
}
