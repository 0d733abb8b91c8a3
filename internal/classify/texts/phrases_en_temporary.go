package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// temporaryEnglish are the wordings of failures that may pass.
var temporaryEnglish = []phrases{
	{"en", says, class.Throttled, 5, "RFC 6585, the cloud SDKs, GitHub, Feishu", `
		rate limit quota exceeded|rate quota exceeded|rate limit exceeded|rate limits exceeded|rate limit reached|rate limit has been reached|rate limit has been exceeded|
		rate limit was exceeded|rate limit hit|rate limit error|rate limit|rate limits|rate limited|rate limiting|rate limiter|
		rate exceeded|frequency limit|request frequency limit|trigger frequency limit|ratelimit|ratelimited|ratelimit exceeded|request rate too high|request rate too large|requests per second|
		requests per minute|calls per second|calls per minute|queries per second|queries per minute|tokens per minute|
		too many requests|too many requests sent|too many requests were sent|sent too many requests|sending too many requests|too many request|too many concurrent|too many simultaneous|too many parallel|too many calls|
		too many queries|too many api calls|too many attempts|too many tries|throttled|throttling|throttling error|
		throttling exception|request throttled|requests throttled|request was throttled|being throttled|request queue is full|
		queue is full|queue full|too frequently|too frequent|too fast|too quickly|slow down|toomanyrequests|enhance your calm|
		error code 1015|flood wait|flood control|concurrency limit~|concurrent request limit~|concurrent requests limit~|
		concurrency exceeded|burst limit~|request limit reached|exceeded rate limit~|exceeded the rate limit|
		exceeded your rate limit|exceeded api rate limit|hit the rate limit|hit rate limit|api rate limit~|
		complexity budget exhausted|capacity exceeded for requests|quota exceeded per minute|
		quota exceeded for requests per minute|per minute quota`},
	{"en", says, class.TimedOut, 4, "common", `
		timed out|timedout|time out exceeded|timeout exceeded|timeout expired|timeout reached|timeout waiting|
		timeout while waiting|timeout was reached|timeout has expired|timeout period elapsed|timeout occurred|timeout error|
		timeout errors|request timeout|request time out|gateway timeout|gateway time out|connection timeout|connect timeout|
		read timeout|write timeout|socket timeout|network timeout|query timeout|statement timeout|lock timeout|pool timeout|
		navigation timeout|server timeout|response timeout|operation timeout|execution timeout|headers timeout|
		headers timeout error|body timeout|idle timeout|upstream timeout|handshake timeout|tls handshake timeout|
		deadline exceeded|deadline expired|context deadline exceeded|exceeded deadline|exceeded the deadline|
		exceeded total deadline|exceeded its deadline|exceeded time limit|exceeded the time limit|time limit exceeded|
		time limit reached|maximum execution time exceeded|exceeded the maximum execution time|exceeded maximum execution time|
		exceeded max execution time|execution time exceeded|exceeded the maximum time|exceeded max time|exceeded the timeout|
		exceeded timeout|etimedout|esockettimedout|err_timed_out|err_connection_timed_out|timeouterror|took too long|
		taking too long|took too long to respond|did not complete in time|didn't complete in time|not complete within|
		not completed within|did not respond in time|didn't respond in time|did not respond within|no response within|
		no response from|no answer from|no reply from|not respond within|not finish in time|did not finish in time|
		did not finish within|no response in time|no response received|no reply within|request aborted due to timeout`},
	{"en", timeoutWord, class.TimedOut, 3, "common", "timeout|time out|timeouts"},
	{"en", says, class.ReplyLost, 4, "the Go, Node.js, Python and Java clients", `
		connection reset|connection reset by peer|connection was reset|connection was unexpectedly closed|
		connection unexpectedly closed|connection closed|connection was closed|connection closed unexpectedly|
		connection was terminated|connection terminated|connection terminated unexpectedly|connection aborted|
		connection was aborted|connection lost|connection was lost|connection dropped|connection was dropped|
		connection interrupted|connection broken|connection to the server was lost|connection is closed|
		connection has been closed|connection forcibly closed|forcibly closed by the remote host|host closed connection|host closed the connection|peer closed connection|peer closed the connection|
		connection closed by|closed by the peer|closed by peer|lost connection|econnreset|
		econnaborted|epipe|enotconn|socket hang up|socket hangup|socket closed|socket connection was closed|broken pipe|
		unexpected eof|premature close|premature end|end of stream|stream error|stream closed|stream reset|stream was reset|
		bad gateway|fetch failed|network error|network failure|network issue|network problem|
		network request failed|network is down|network changed|err_network~|err_connection_reset|err_connection_closed|
		err_empty_response|err_http2_protocol_error|upstream connect error|upstream error|upstream request failed|
		upstream server error|internal server error|internal service error|internal api error|internal system error|
		server error|disconnected before|disconnected without|server disconnected|server closed the connection|
		server closed connection|server has gone away|server dropped the connection|terminating connection|
		type error terminated|typeerror terminated|remote end closed connection|remotedisconnected|remote disconnected|
		connectionreseterror|connection reset error|incomplete read|chunked encoding error|protocol error|connection error|
		connection errors|connection failed|connection failure|connection problem|connection issue|error connecting to|
		failed connecting to|communications link failure|empty reply from server|transport error|transport closed|
		transport is closing|rpc failed|goaway`},
	{"en", says, class.Unavailable, 4, "common", `
		connection refused|connection was refused|connection refused error|econnrefused|err_connection_refused|
		err_internet_disconnected|err_address_unreachable|actively refused it|ehostunreach|enetunreach|ehostdown|enetdown|
		no route to host|host is unreachable|host unreachable|network is unreachable|network unreachable|host is down|
		newconnectionerror|max retries exceeded|service unavailable|service temporarily unavailable|
		service is temporarily unavailable|temporarily unavailable|temporarily not available|temporarily unable|
		temporarily overloaded|temporarily out of service|temporarily down|temporary unavailable|temporary failure|
		temporary error|temporary problem|transient error|transient failure|resource temporarily unavailable|
		currently unavailable|currently overloaded|overloaded error|currently experiencing|service not available|
		server not available|service is not available|server is not available|service overloaded|server overloaded|
		server is overloaded|server is busy|server busy|service is busy|system is busy|system busy|server too busy|
		could not connect|cannot connect|can't connect|couldn't connect|unable to connect|failed to connect|could not reach|cannot be reached|can't be reached|could not be reached|
		cannot reach|can't reach|couldn't reach|unable to reach|failed to reach|could not contact|unable to contact|
		cannot contact|unable to establish|could not establish|failed to establish|cannot establish|
		could not establish connection|no connection could be made|not responding|isn't responding|is not reachable|
		not reachable|unreachable|all connection attempts failed|database is locked|lock wait timeout|
		lock wait timeout exceeded|deadlock|deadlock detected|deadlock found|deadlocked|unable to lock|
		unable to obtain exclusive|could not obtain lock|could not acquire lock|could not acquire the lock|failed to acquire lock|failed to acquire the lock|unable to acquire lock|
		another process is using|unable_to_lock_row|could not set lock|is loading the dataset|
		loading the dataset|could not serialize access|serialization failure|write conflict|is starting up|starting up|
		is shutting down|shutting down|is restarting|is initializing|is reloading|is loading|is booting|is warming up|
		warming up|is compiling|is reconnecting|server not ready|service not ready|database not ready|
		not ready to accept connections|no responders|eai_again|temporary failure in name resolution|clusterdown|loading redis|
		under maintenance|in maintenance mode|down for maintenance|undergoing maintenance|scheduled maintenance|
		maintenance mode|at capacity|over capacity|no capacity|insufficient capacity|out of capacity|no available server~|
		no healthy upstream|no listener|no listeners|capacity reached|queue capacity|no healthy host~|no server is available|
		no available capacity|too many clients|too many clients already|sorry too many clients already|too many connections|
		too many open connections|remaining connection slots|connection pool exhausted|pool exhausted|pool is exhausted|
		connection pool is full|high load|heavy load|high demand|high traffic|model is loading|model is currently loading|ebusy|
		eagain|leader not available|no leader|not leader|circuit breaker is open|circuit breaker open|circuit open|
		being used by another process|being modified by another process|text file busy|resource busy|device or resource busy|
		is not running|isn't running|not reachable right now|not available right now|unavailable right now|
		not currently available|not available at the moment|not available at this time|unavailable at this time|
		service disruption|service outage|outage|experiencing issues|experiencing problems|experiencing high|no working`},
	{"en", ifAlone, class.ReplyLost, 4, "the fetch of browsers", "failed to fetch"},
	{"en", says, class.ReplyLost, 2, "common", `
		try again later|try again shortly|try again soon|try again in a few|try again in a moment|try again in a minute|
		retry later|try later|then retry|wait and retry|retry shortly|retry again later|come back later|try again in a while|
		retry in a few|retry in a moment`},
	{"en", says, class.ReplyLost, 4, "AWS", "an error occurred (internal error) when calling"},
	{"en", ifConnection, class.ReplyLost, 4, "common", `
		lost|disconnected|has disconnected|was disconnected|is not open|is not connected|refused|reset|closed|dropped|failed|
		broken|broke|aborted|terminated|interrupted|was lost|was closed|was reset|was dropped|was refused|
		could not be established|not established|was interrupted|down|hung up|unstable`},
	{"en", connection, class.Unknown, 0, "", "connection|connections|websocket|socket|browser|tunnel|uplink"},
	{"en", ends, class.Unknown, 0, "", `
		offer|auction|reservation|bid|hold|vote|poll|trial|invitation|invite|appointment|cart|checkout|token|session|challenge|
		otp|approval|user|customer|login|quote|coupon|voucher|lease|license|subscription|membership|contract|ticket|exam|quiz|
		authorization|booking|promotion|password|pin|build|test|tests|compilation|process|subprocess|child|script`},
	{"en", things, class.Unknown, 0, "", `
		product|products|item|items|slot|slots|room|rooms|seat|seats|ticket|tickets|username|name|number|driver|doctor|patient|
		agent|person|vehicle|car|truck|flight|hotel|property|date|time slot|size|color|variant|article|sku|stock|account|line|
		phone|calendar|machine|engine|motor|circuit|printer|nurse|therapist|staff|host|partner|seller|buyer|recipient`},
	{"en", states, class.Unknown, 0, "", "is|are|was|were|has|have"},
	{"en", nothing, class.Unknown, 0, "", "throttled the|throttled down|throttled to|throttled up|hosted"},
	{"en", asks, class.Unknown, 0, "", `
		please retry|please try again|retry the request|retry your request|try again|retry the operation`},
	{"en", isRate, class.Unknown, 0, "", "per minute|per second|per min|per sec|a minute|a second"},
	{"en", ifSystem, class.ReplyLost, 3, "common", `
		unavailable|overloaded|not available|is not available|is unavailable|down|offline|busy|not running|unresponsive|unhealthy|not ready|degraded|
		not accessible|stopped responding|failed to respond|did not respond|didn't respond|not respond|overwhelmed|
		out of service`},
	{"en", system, class.Unknown, 0, "common", `
		service|services|server|servers|api|endpoint|host|database|db|backend|provider|system|upstream|cluster|node|broker|
		gateway|daemon|proxy|redis|mysql|postgres|postgresql|mongodb|elasticsearch|site|website|instance|replica|worker|
		connector|model|temporarily|currently|network|docker|kubernetes`},
}
