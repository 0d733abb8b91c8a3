package classify

import (
	"reflect"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

// A batch says where errors of a type hold the results of several writes: in a list whose items
// have an index or their request, and counts of what was done beside it.
type batch struct {
	lists  []results
	counts [][]int
}

// results are a list in an error. Its items are errors in the order of the writes, or structs.
type results struct {
	path  []int // nil if the error is the list
	index []int // of the index in an item, or nil
	err   []int // of the error in an item, or nil
	some  bool  // it holds only some of the writes' results, whatever the index
}

const (
	requestNames = " msg message request req record document doc entry operation item "
	doneNames    = " inserted modified upserted deleted written removed succeeded success successful processed completed applied indexed "
)

// batchOf returns where errors of a type hold the results of several writes.
func batchOf(t reflect.Type, unwraps bool) (b batch) {
	inner := pointedTo(t)
	named := codes.IsBatch(inner.Name())
	if inner.Kind() != reflect.Struct {
		b.addList(inner, nil, named, unwraps)
		return b
	}
	var counts [][]int
	for _, f := range reflect.VisibleFields(inner) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		b.addList(f.Type, f.Index, named, unwraps || codes.IsAttempt(f.Name))
		if beside := pointedTo(f.Type); isDone(f) {
			counts = append(counts, f.Index)
		} else if beside.Kind() == reflect.Struct {
			for _, in := range reflect.VisibleFields(beside) {
				if in.IsExported() && isDone(in) {
					counts = append(counts, slices.Concat(f.Index, in.Index))
				}
			}
		}
	}
	if len(b.lists) > 0 {
		b.counts = counts
	}
	return b
}

// isDone reports whether a field counts what was done.
func isDone(f reflect.StructField) bool {
	return isInt(f.Type) && strings.Contains(doneNames, " "+strings.TrimSuffix(codes.FoldMember(f.Name), "count")+" ")
}

// addList adds the list at a path if its items are results of writes.
func (b *batch) addList(t reflect.Type, path []int, named, unwraps bool) {
	byIndex := t.Kind() == reflect.Map && isInt(t.Key())
	if t.Kind() != reflect.Slice && !byIndex {
		return
	}
	r := results{path: path, some: named || byIndex}
	item := pointedTo(t.Elem())
	if item.Kind() != reflect.Struct {
		if item == errorType && !unwraps { // attempts, if they are unwrapped
			b.lists = append(b.lists, r)
		}
		return
	}
	for _, f := range reflect.VisibleFields(item) {
		name, isStruct := codes.FoldMember(f.Name), pointedTo(f.Type).Kind() == reflect.Struct
		switch {
		case !f.IsExported():
		case isInt(f.Type) && strings.HasSuffix(name, "index"):
			r.index = f.Index
		case f.Type == errorType:
			r.err = f.Index
		case strings.Contains(requestNames, " "+name+" ") && (isStruct || f.Type.Kind() == reflect.Interface):
			r.some = r.some || pointedTo(f.Type).PkgPath() != "net/http"
		}
	}
	if r.some || r.index != nil {
		b.lists = append(b.lists, r)
	}
}

// effect returns the effect of several writes of which some failed: applied if one is known to be
// done, unknown if one may be, otherwise "".
func (b *batch) effect(err error) (e string) {
	object := reflect.Indirect(reflect.ValueOf(err))
	if !object.IsValid() {
		return ""
	}
	for f := range fieldsAt(object, b.counts) {
		if n, _ := number(f); n > 0 {
			return effect.Applied
		}
	}
	for _, r := range b.lists {
		list := object
		if r.path != nil {
			list = object.FieldByIndex(r.path)
		}
		if r.some && list.Len() > 0 || r.index != nil && list.Len() > 1 {
			e = effect.Unknown
		}
		if list.Kind() != reflect.Slice {
			continue
		}
		for i := range min(list.Len(), maxErrors) {
			item := reflect.Indirect(list.Index(i))
			switch {
			case item.Kind() == reflect.Interface:
				if item.IsNil() {
					return effect.Applied
				}
			case !item.IsValid():
			case r.err != nil && item.FieldByIndex(r.err).IsNil():
				return effect.Applied
			case r.index != nil:
				if n, _ := number(item.FieldByIndex(r.index)); n > 0 {
					e = effect.Unknown
				}
			}
		}
	}
	return e
}
