package classify

import (
	"reflect"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

// A batch says what is known of several writes of which some failed.
type batch uint8

const (
	undone   batch = iota
	mayBe          // others may be done
	someDone       // others are done
)

// worst returns an effect, or that of the batch if it is worse.
func (b batch) worst(e string) string {
	return effect.Worst(e, [...]string{effect.None, effect.Unknown, effect.Applied}[b])
}

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
	err   []int // of the error in an item, or nil
	some  bool  // it holds only the results of some writes
}

const (
	requestNames = " msg message request req record document doc entry operation item "
	doneNames    = " inserted modified upserted deleted written removed succeeded success successful processed completed " +
		"applied indexed "
)

// writesOf returns where errors of a type hold the results of several writes. The errors that
// errors of a type unwrap to may be attempts at the same.
func writesOf(t reflect.Type, unwraps bool) (w writes) {
	t = pointedTo(t)
	isBatch, attempts := codes.IsBatch(t.Name()), unwraps || codes.IsAttempt(t.Name())
	if t.Kind() != reflect.Struct {
		w.addList(t, nil, isBatch, attempts)
		return w
	}
	var counts [][]int
	for name, f := range fieldsOf(t) {
		w.addList(f.Type, f.Index, isBatch, attempts || codes.IsAttempt(f.Name))
		if isDone(name, f.Type) {
			counts = append(counts, f.Index)
		}
		if beside := pointedTo(f.Type); beside.Kind() == reflect.Struct {
			for name, inner := range fieldsOf(beside) {
				if isDone(name, inner.Type) {
					counts = append(counts, slices.Concat(f.Index, inner.Index))
				}
			}
		}
	}
	if len(w.lists) > 0 {
		w.counts = counts
	}
	return w
}

// isDone reports whether a field counts what was done.
func isDone(name string, t reflect.Type) bool {
	return isInt(t) && strings.Contains(doneNames, " "+strings.TrimSuffix(name, "count")+" ")
}

// addList adds the list at a path if its items are the results of writes.
func (w *writes) addList(t reflect.Type, path []int, isBatch, attempts bool) {
	byIndex := t.Kind() == reflect.Map && isInt(t.Key())
	if t.Kind() != reflect.Slice && !byIndex {
		return
	}
	item := pointedTo(t.Elem())
	isError := item.Implements(errorType)
	r := results{path: path, some: isBatch && (isError || item.Kind() == reflect.Struct) || isError && byIndex}
	if item.Kind() == reflect.Struct {
		for name, f := range fieldsOf(item) {
			inner := pointedTo(f.Type)
			switch {
			case isInt(f.Type) && strings.HasSuffix(name, "index"):
				r.index = f.Index
			case f.Type == errorType && len(f.Index) == 1:
				r.err = f.Index
			case inner.Kind() != reflect.Struct && inner.Kind() != reflect.Interface || inner.PkgPath() == "net/http":
			case strings.Contains(requestNames, " "+name+" "):
				r.some = true
			}
		}
	}
	if r.some || r.index != nil || item == errorType && !attempts {
		w.lists = append(w.lists, r)
	}
}

// of returns what an error says of several writes.
func (w *writes) of(err error) (b batch) {
	object := reflect.Indirect(reflect.ValueOf(err))
	if !object.IsValid() {
		return b
	}
	add := func(what batch, is bool) {
		if is {
			b = max(b, what)
		}
	}
	for f := range fieldsAt(object, w.counts) {
		n, _ := number(f)
		add(someDone, n > 0)
	}
	for _, r := range w.lists {
		list, err := object, error(nil)
		if r.path != nil {
			list, err = object.FieldByIndexErr(r.path)
		}
		if err != nil {
			continue
		}
		add(mayBe, list.Len() > 0 && r.some || list.Len() > 1 && r.index != nil)
		for i := range min(list.Len(), maxErrors) {
			if list.Kind() != reflect.Slice {
				break
			}
			item := list.Index(i)
			if item.Kind() == reflect.Interface {
				add(someDone, item.IsNil())
				continue
			}
			for at := range fieldsAt(reflect.Indirect(item), [][]int{r.index, r.err}) { // a nil path is the item's own
				n, _ := number(at)
				add(mayBe, n > 0)
				add(someDone, at.Kind() == reflect.Interface && at.IsNil())
			}
		}
	}
	return b
}
