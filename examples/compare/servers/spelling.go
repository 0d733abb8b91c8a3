package main

import (
	"maps"
	"slices"
	"strings"
)

// A role is what a member of a failure can mean.
type role struct {
	names []string // common spellings of servers and guides, in lower case, without _ and -
	fits  func(value any) bool
}

var (
	roleRetry = role{[]string{
		"isretryable", "retryable", "retriable", "isretriable", "recoverable", "shouldretry",
		"canretry",
	}, isBool}
	roleField = role{[]string{"field", "argument", "parameter", "param", "arg", "property", "path", "pointer"}, isText}
	roleNext  = role{[]string{
		"hint", "hints", "suggestion", "suggestions", "suggestedaction", "nextstep", "nextsteps", "action", "advice",
		"guidance",
		"recommendation", "remediation", "resolution", "howtofix",
	}, isText}
	roleMillis = role{[]string{
		"retryafterms", "retryaftermillis", "retryaftermilliseconds", "retrydelayms", "backoffms",
		"waitms",
	}, isNumber}
	roleSeconds = role{[]string{
		"retryafter", "retryafterseconds", "retryaftersecs", "retryaftersec", "retryafters",
		"waitseconds",
	}, isNumber}
	roleEffect = role{[]string{
		"effect", "effects", "sideeffect", "sideeffects", "applied", "mayhavesucceeded",
		"maybeapplied",
	}, isTextOrBool}
)

func isBool(v any) bool       { _, is := v.(bool); return is }
func isNumber(v any) bool     { n, is := v.(float64); return is && n > 0 }
func isTextOrBool(v any) bool { return isBool(v) || isText(v) }

// isText reports whether v is a text that is not empty, or a list of such texts.
func isText(v any) bool {
	if list, is := v.([]any); is {
		return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { return !isText(v) })
	}
	text, is := v.(string)
	return is && text != ""
}

// find returns a member with the role, and its path. It searches an object before those inside it.
func (r role) find(objects []map[string]any) (value any, path string) {
	for _, object := range objects {
		if value, path := r.findIn(object, ""); path != "" {
			return value, path
		}
	}
	return nil, ""
}

func (r role) findIn(object map[string]any, prefix string) (value any, path string) {
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		if slices.Contains(r.names, plainName.Replace(strings.ToLower(name))) && r.fits(object[name]) {
			return object[name], prefix + name
		}
	}
	for _, name := range names {
		if inner, is := object[name].(map[string]any); is {
			if value, path := r.findIn(inner, prefix+name+"."); path != "" {
				return value, path
			}
		}
	}
	return nil, ""
}

var plainName = strings.NewReplacer("_", "", "-", "")
