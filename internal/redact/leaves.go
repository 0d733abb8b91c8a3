package redact

// leaves reads the encoded body of each text in a JSON document, each number, and each name
// that is not the tool's. It decodes nothing, and reads duplicate names of an object twice.
// Text that is not JSON is read as one text.
func (r *remover) leaves(document string) {
	i := 0
	for i < len(document) && document[i] <= ' ' {
		i++
	}
	if i < len(document) && document[i] != '{' && document[i] != '[' && document[i] != '"' {
		r.leaf(document, false)
		return
	}
	depth := 0
	for i < len(document) {
		switch c := document[i]; {
		case c == '{', c == '[':
			depth++
			i++
		case c == '}', c == ']':
			depth--
			i++
		case c == '"':
			end := quoteEnd(document, i+1, '"')
			after := end + 1
			for after < len(document) && document[after] <= ' ' {
				after++
			}
			text := document[i+1 : end]
			if after >= len(document) || document[after] != ':' || r.isName != nil && !r.isName(text, depth) {
				r.leaf(text, false)
			}
			i = end + 1
		case c == '-', c >= '0' && c <= '9':
			end := i + 1
			for end < len(document) && (isAlnum(document[end]) || document[end] == '.' || document[end] == '-' || document[end] == '+') {
				end++
			}
			r.leaf(document[i:end], true)
			i = end
		default:
			i++
		}
	}
}
