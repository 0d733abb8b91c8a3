package classify

import (
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
)

// itemsIn reads a list of texts or structs, or a map from members to texts.
func itemsIn(list reflect.Value) (items []serviceMessage) {
	switch list.Kind() { //nolint:exhaustive // of the others there are no items
	case reflect.Slice:
		for i := range min(list.Len(), answers.MaxItems) {
			it := indirect(list.Index(i))
			if it.Kind() == reflect.Struct {
				items = append(items, (&inspector{object: it}).item())
			} else {
				items = append(items, serviceMessage{text: word(it)})
			}
		}
	case reflect.Map:
		if list.Type().Key().Kind() != reflect.String {
			return nil
		}
		for _, key := range sortedKeys(list)[:min(list.Len(), answers.MaxItems)] {
			if text := word(list.MapIndex(key)); text != "" {
				items = append(items, serviceMessage{text: word(key) + ": " + text, field: word(key)})
			}
		}
	}
	return items
}

// item reads one of several errors.
func (in *inspector) item() serviceMessage {
	m := serviceMessage{text: in.text("Message", "Detail", "Title"), field: in.text("Field", "Param")}
	switch {
	case m.text == "":
		m.text = strings.TrimSpace(m.field + " " + in.text("Code", "Reason"))
	case m.field != "" && !strings.Contains(m.text, m.field):
		m.text = m.field + ": " + m.text
	}
	return m
}

// joined appends the texts of items that the text does not contain yet.
func joined(text string, items []serviceMessage) string {
	var b strings.Builder
	b.WriteString(text)
	separator := ": "
	for _, it := range items {
		if it.text == "" || strings.Contains(b.String(), it.text) {
			continue
		}
		switch {
		case strings.HasSuffix(b.String(), "."):
			b.WriteByte(' ')
		case b.Len() > 0:
			b.WriteString(separator)
		}
		b.WriteString(it.text)
		separator = "; "
	}
	return b.String()
}
