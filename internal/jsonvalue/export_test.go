package jsonvalue

// Offset returns how far a text is read.
func (s *Scanner) Offset() int { return s.at }
