package texts

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// startOfRuns is the first code point of the scripts without spaces and their punctuation
// marks.
const startOfRuns = 0x3000

// isElision reports whether the apostrophe before i replaces a vowel, so that a word begins
// after it: l'ordine, d'accès, but not don't, you're.
func (s *scan) isElision(i int) bool {
	for range 3 {
		r := s.next(i)
		if !unicode.IsLetter(r) {
			return false
		}
		i += utf8.RuneLen(r)
	}
	return true
}

// continues reports whether r belongs to the same word as the letter before it, given the
// two runes that follow.
func continues(last, r, next, afterNext rune) bool {
	switch {
	case r == '\'' || r == '’':
		return unicode.IsLetter(last) && unicode.IsLetter(next)
	case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
		return false
	case !unicode.IsUpper(r):
		return true
	case unicode.IsLower(last): // notFound
		return false
	}
	isPlural := next == 's' && !unicode.IsLetter(afterNext)             // IDs
	return !unicode.IsUpper(last) || !unicode.IsLower(next) || isPlural // HTTPError
}

// isRunLetter reports whether a letter belongs to a script without spaces or with optional
// ones.
func isRunLetter(r rune) bool {
	return r >= startOfRuns && (r >= 0x3005 && r <= 0x3007 || r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff)
}

// appendFolded appends a letter in lower case without its accent.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case 'A' <= r && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case r == '’' || r == 'ʼ':
		return append(dst, '\'')
	case r >= 0xff01 && r <= 0xff5e: // full width
		return appendFolded(dst, r-0xff01+'!')
	case r == 'ß':
		return append(dst, "ss"...)
	case unicode.Is(unicode.Mn, r):
		return dst
	}
	r = unicode.ToLower(r)
	if plain, ok := folds()[r]; ok {
		r = plain
	}
	return utf8.AppendRune(dst, r)
}

// folds maps accented letters to plain ones, and traditional Chinese characters to
// simplified ones.
var folds = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	for _, pair := range [][2]string{{accented, plain}, {traditional, simplified}} {
		to := pair[1]
		for _, r := range pair[0] {
			p, size := utf8.DecodeRuneInString(to)
			if to = to[size:]; p != r {
				m[r] = p
			}
		}
	}
	return m
})

const (
	// The accented letters of the phrases' languages; writers often leave accents out.
	accented = "àáâãäåąāçćčďèéêëęěēğìíîïıīłñńňòóôõöøőřśšşťùúûüůűūýÿžźżё"
	plain    = "aaaaaaaacccdeeeeeeegiiiiiilnnnooooooorssstuuuuuuuyyzzzе"
	// Only the characters in phrases.
	traditional = "無權請錯誤數據連線時過頻後試務參號碼帳賬驗證認錄絕額餘滿衝鎖庫類別檔資訊網絡斷開關閉應戶費創發執項條記輸選擇範圍長個間階級訂閱員該與對變當運啟動終結處維護異態檢讀寫許沒並請稱規為標簽測詢協約進產單導會"
	simplified  = "无权请错误数据连线时过频后试务参号码帐账验证认录绝额余满冲锁库类别档资讯网络断开关闭应户费创发执项条记输选择范围长个间阶级订阅员该与对变当运启动终结处维护异态检读写许没并请称规为标签测询协约进产单导会"
)
