package redact

// leaves looks at the body of every text in a JSON document, as it is written, at every
// number, and at every name that is not the tool's. Nothing is decoded, and a name that an
// object has twice is looked at twice. What is no JSON is one text.
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
