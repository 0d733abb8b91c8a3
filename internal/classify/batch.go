package classify

import (
	"reflect"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// A batch says what is known of several writes of which some failed.
type batch uint8

const (
	undone   batch = iota
	mayBe          // others may be done
	someDone       // others are done
)

// writes say where errors of a type hold the results of several writes: in lists, and in numbers of
// what was done beside them.
type writes struct {
	lists  []results
	counts [][]int
}

// results are a list in an error. Its items are errors in the order of the writes, or structs with
// an index or a request.
type results struct {
	path  []int // nil if the error is the list
	index []int // of the index in an item, or nil
	some  bool  // it holds only the results of some writes
}

// writesOf returns where errors of a type hold the results of several writes. The errors that
// errors of a type unwrap to may be attempts at the same.
func writesOf(t reflect.Type, unwraps bool) (w writes) {
	t = pointedTo(t)
	isBatch, attempts := codes.Batches.In(t.Name()), unwraps || codes.Attempts.In(t.Name())
	if t.Kind() != reflect.Struct {
		w.addList(t, nil, isBatch, attempts)
		return w
	}
	add := func(name string, f reflect.StructField, at []int) {
		if isInt(f.Type) && codes.Done.Has(strings.TrimSuffix(name, "count")) {
			w.counts = append(w.counts, slices.Concat(at, f.Index))
		}
	}
	for name, f := range fieldsOf(t) {
		w.addList(f.Type, f.Index, isBatch, attempts || codes.Attempts.In(f.Name))
		add(name, f, nil)
		if beside := pointedTo(f.Type); beside.Kind() == reflect.Struct {
			for name, inner := range fieldsOf(beside) {
				add(name, inner, f.Index)
			}
		}
	}
	return w
}

// addList adds the list at a path if its items are the results of writes.
func (w *writes) addList(t reflect.Type, path []int, isBatch, attempts bool) {
	byIndex := t.Kind() == reflect.Map && isInt(t.Key())
	if t.Kind() != reflect.Slice && !byIndex {
		return
	}
	item := pointedTo(t.Elem())
	isStruct, isError := item.Kind() == reflect.Struct, has[error](item)
	r := results{path: path, some: isBatch && (isError || isStruct) || isError && byIndex}
	if isStruct {
		for name, f := range fieldsOf(item) {
			inner := pointedTo(f.Type)
			if isInt(f.Type) && strings.HasSuffix(name, "index") {
				r.index = f.Index
			}
			r.some = r.some || codes.Requests.Has(name) && inner.Kind() == reflect.Struct && inner.PkgPath() != "net/http"
		}
	}
	if r.some || r.index != nil || isA[error](item) && !attempts {
		w.lists = append(w.lists, r)
	}
}

func (w *writes) of(err error) (b batch) {
	object := reflect.Indirect(reflect.ValueOf(err))
	for f := range fieldsAt(object, w.counts) {
		if number(f) > 0 && len(w.lists) > 0 {
			return someDone
		}
	}
	for _, r := range w.lists {
		for list := range fieldsAt(object, [][]int{r.path}) {
			b = max(b, r.of(list))
		}
	}
	return b
}

// of returns what a list says of the writes that are not in it, or are done.
func (r *results) of(list reflect.Value) (b batch) {
	if list.Len() > 0 && r.some || list.Len() > 1 && r.index != nil {
		b = mayBe
	}
	for i := 0; list.Kind() == reflect.Slice && i < min(list.Len(), maxErrors); i++ {
		item := reflect.Indirect(list.Index(i))
		if item.Kind() == reflect.Interface && item.IsNil() {
			return someDone
		}
		for index := range fieldsAt(item, [][]int{r.index}) {
			if r.index != nil && number(index) > 0 {
				b = mayBe
			}
		}
	}
	return b
}
