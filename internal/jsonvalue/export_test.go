package jsonvalue

// Offset returns the number of bytes read, or the length of a text that is not JSON.
func (s *Scanner) Offset() int { return s.at }
