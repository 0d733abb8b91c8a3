package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// stateEnglish are the wordings of states, policies and limits, and of a tool's own
// trouble.
var stateEnglish = []phrases{
	// State and policy.
	{"en", says, class.Exists, 5, "common", `
		already exists|already exist|already existing|exists already|file exists|eexist|duplicate key|duplicate entry|
		duplicate value~|duplicate name|duplicate record|duplicated|duplicate|duplicates|e11000|unique constraint|
		unique_violation|uniqueness|must be unique|not unique|isn't unique|name is taken|already taken|name_taken|
		already in the list|already a member|already registered|already added|name conflict`},
	{"en", ifNamed, class.Exists, 5, "Rails, Docker, common", `
		taken|is taken|been taken|already been taken|already taken|has been taken|already in use|is in use|in use|already used|
		already been used|not available|unavailable|is not available|already been claimed|already claimed`},
	{"en", label, class.Unknown, 0, "", `
		slot|time slot|seat|name|names|username|user name|hostname|email|e mail|email address|slug|handle|alias|key|title|subdomain|nickname|login|label|
		tag|identifier|id`},
	{"en", says, class.Precondition, 4, "common", `
		already|conflict|conflicts|conflicting|conflicted|edit conflict|merge conflict~|not mergeable|is not mergeable|
		transition not allowed|not allowed|isn't allowed|aren't allowed|disallowed|not applicable|is disabled|are disabled|
		has been disabled|disabled|was disabled|deactivated|inactive|not active|isn't active|not enabled|isn't enabled|
		is not open|not open|is closed|are closed|is locked|are locked|is locked by|account locked|has been locked|been locked|
		been suspended|been disabled|been closed|been terminated|been restricted|been flagged|been limited|been frozen|
		been removed from|rejected as|rejected for|message rejected|locked by|frozen|is archived|archived|is suspended|
		suspended|on hold|paused|read only|readonly|in read only|did not confirm~|user did not confirm~|user did not approve~|
		user did not accept~|user did not grant~|user did not allow~|declined|declined by|user rejected|user cancelled|
		user canceled|cancelled by|canceled by|cancelled by user|user denied|denied by user|denied by the user|rejected by user|
		user aborted|aborted by user|not supported in|precondition|precondition failed|failed precondition|cannot be fulfilled|
		cannot be modified|cannot be changed|cannot be deleted|cannot be removed|cannot be updated|cannot be edited|
		cannot be cancelled|cannot be canceled|cannot be refunded|cannot be merged|cannot be undone|cannot be enabled|
		cannot be disabled|cannot be moved|cannot be assigned|cannot be created|cannot be closed|cannot be reopened|
		cannot be completed in|can't be modified|can't be changed|can't be deleted|can't be updated|can no longer|
		no longer available|no longer valid|no longer possible|fully booked|is booked|booked out|flagged by|was flagged|safety system|content policy|cannot transition~|can't transition~|has closed|has been closed|been shut down|
		been switched off|been turned off|cannot delete|cannot modify|cannot update|cannot edit|cannot merge|cannot cancel|
		cannot remove|cannot execute|can only be|may only be|only allowed|still in use|still has|still managing|
		update or delete on table|is still referenced|is referenced by|still referenced|in use by|is in use|already in use|in use|
		has open|have open|halted|is halted|does not accept~|doesn't accept~|do not accept~|dependent objects|has dependents|
		has children|not empty|is not empty|enotempty|would be overwritten|current transaction is aborted|non fast forward|
		nothing to commit|nothing to commit working tree clean|idempotent requests can only be used|idempotency conflict|idempotency key conflict|idempotency mismatch|
		because it has a status of|invalid state|not in the correct state|is not in the correct state|is not in the right state|is not in a valid state|not in a valid state|not in the right state|correct state|have passed since|illegal state|wrong state|not in a state|bad state|state transition|
		invalid transition|invalid status|object has been modified|has been modified|has been changed|modified since|
		modified by another|is not the latest|stale|out of date|outdated|version mismatch|out of stock|sold out|not in stock|
		insufficient stock|not enough stock|not enough inventory|insufficient inventory|unavailable for purchase|market is closed|market closed|
		outside of market hours|outside business hours|trading halted|not eligible|ineligible|doesn't qualify|does not qualify|
		not available for|not available in|not available on|isn't available|must first|needs to be|protected branch|
		branch is protected|requires approval|approval required|needs approval|pending approval|not approved|not confirmed|
		not been confirmed|not verified|unverified|is pending|is in progress|in progress|is already running|already running|not started|
		not running|has not started|has ended|has finished|is over|is final|is cancelled|is canceled|was cancelled|was canceled|
		been cancelled|been canceled|is completed|not in a transaction|no active|no transaction|not initialized|not initialised|
		not configured for|not supported by your|isn't supported for|against policy|violates|violation|prohibited|refused by|
		refused to|rejected by|rejected because|rejected due|was rejected|were rejected|is rejected|been rejected|deprecated|retired|
		discontinued|decommissioned|sunset|end of life|no longer supported|no longer maintained|no longer active|obsolete|
		permanently|safety feature|not allowed in|only one|can only have one|still running|insufficient buying power|
		buying power|not held|not tradable|destructive|is reserved|reserved name|referenced by|too late|cooldown period has not|not yet|
		feature flag|not installed for`},
	{"en", says, class.Precondition, 5, "Heroku's Platform API", "verify your account to|please verify your account to|verification required"},
	{"en", says, class.Precondition, 3, "common", "has expired|have expired|expired|is expired|expires"},
	{"en", says, class.Precondition, 2, "common", `
		first|cannot reopen|cannot close|cannot assign|cannot move|cannot rename|cannot change|cannot revert|cannot refund|cannot transfer|
		has been removed|unsubscribed|opted out|depends on|depend on|not enough|you cannot|you can't|you can not|you may not|cannot be|can't be|unavailable in|does not allow|doesn't allow`},
	{"en", ifNot, class.Precondition, 2, "common", `
		allowed|enabled|active|available|mergeable|modifiable|editable|deletable|eligible|published|released|refundable|cancellable|confirmed|
		approved|verified|open|possible`},
	{"en", says, class.Conflict, 3, "common", "etag mismatch|revision mismatch"},
	{"en", says, class.Limit, 5, "common", `
		quota exceeded|quota limit exceeded|exceeded quota|exceeded your quota|exceeded your current quota|exceeded its quota|
		exceeded the quota|over quota|quota reached|quota has been reached|quota has been exceeded|quota exhausted|
		quota used up|out of quota|insufficient quota|no quota|check your plan and billing|exceeds your quota|exceeds your plan|
		exceed your quota|exceeds the quota|plan's limit|plan's set usage limit|plan limit~|limit of your plan|usage limit~|
		usage cap|usage quota|budget exceeded|budget exhausted|budget limit|budget has been exceeded|over budget|exceeds budget|
		monthly limit~|daily limit~|weekly limit~|hourly limit~|yearly limit|annual limit|monthly quota|daily quota|
		spending limit|spend limit|spending cap|credit limit|hard limit reached|payment required|requires payment|
		payment failed|payment method|insufficient funds|insufficient credit~|insufficient balance|not enough credits|
		not enough funds|not enough balance|not enough quota|insufficient tokens|out of credits|no credits|
		credits exhausted|credits have been used|ran out of credits|credit balance is too low|balance is too low|
		no remaining|none remaining|no searches left|no requests left|no calls left|upgrade required|requires an upgrade|upgrade to use|need to upgrade|used all of your|used all your|used up all|no more credits|out of credit|upgrade your plan|upgrade your account|upgrade your subscription|upgrade to|card declined|card was declined|
		card has been declined|your card|billing not enabled|billing is not enabled|billing is disabled|billing hard limit|
		enable billing|billing account|subscription required|requires a subscription|requires a paid|paid plan|paid feature|
		premium feature|premium required|premium is required|premium only|premium plan|pro plan|enterprise plan|enterprise only|only available on|only available for|
		only available to|not included in your plan|your plan does not|your current plan|not available on your plan|free tier|
		free plan|trial expired|trial has expired|trial has ended|trial period|subscription expired|subscription has expired|
		no active subscription|license expired|license has expired|license required|no license|maximum number of|max number of|
		reached the maximum|reached the limit|reached your limit|reached its limit|limit reached|limit has been reached|
		limit exceeded|limit was exceeded|limit has been exceeded|exceeded the limit|exceeded limit|exceeded your limit|
		exceeded the maximum number|exceeded maximum number|over the limit|over your limit|limit for your|seat limit|storage full|
		storage is full|storage limit|mailbox is full|mailbox full|account limit~|allocation exceeded|edquot|
		disk quota exceeded|spam limit|quota`},

	// The tool's own trouble.
	{"en", says, class.Internal, 4, "common", `
		getaddrinfo enotfound|enotfound|no such host|name or service not known|nodename nor servname|unknown host~|
		could not resolve host~|cannot resolve host~|couldn't resolve host|name resolution|name not resolved|
		err_name_not_resolved|name does not resolve|dns lookup failed|dns resolution failed|dns_probe~|nxdomain|
		failed to resolve host~|unable to resolve host~|failed to resolve address|unable to resolve address|eai_noname|host not found|certificate verify failed|certificate has expired|
		certificate expired|certificate is expired|certificate is not~|certificate signed by|certificate is valid for|
		certificate not trusted|certificate validation|certificate verification|invalid certificate|
		unable to verify the first certificate|unable to get local issuer~|unable to get issuer~|depth_zero_self_signed_cert|
		self signed certificate~|self_signed_cert~|x509~|cert_has_expired|err_cert~|err_tls_cert~|certificate|ssl certificate~|
		hostname mismatch|hostname doesn't match|hostname/ip does not match|handshake failure|wrong version number|unknown ca|
		unsafe legacy renegotiation|no space left|enospc|disk full|disk is full|out of disk|out of memory|outofmemory|
		heap out of memory|memory limit|cannot allocate memory|oom killed|oomkilled|oom|memory exhausted|segmentation fault|
		core dumped|sigkill|sigterm|sigsegv|killed|err_unsupported_protocol|
		protocol version mismatch|missing dependency|cannot find module|no module named|module not found|not installed|
		is not recognized as an internal|not in path|environment variable~|env var~|misconfigured|misconfiguration|misconfig~|
		configuration error|config error|not configured|bad configuration|invalid configuration|missing configuration|
		incompatible version~`},
	{"en", says, class.Internal, 1, "what a program has printed says more", "exit code|exited with|exit status|exit value"},
	{"en", nothing, class.Unknown, 0, "common", `
		disk image is malformed|unknown error|an unknown error|unknown reason|unknown reasons|unknown exception|unknown failure|unknown issue|
		unknown cause|unknown status|unknown state|unknown state of|reason unknown|unknown problem|unknown response|unknown error occurred|unexpected error|an unexpected error|
		unexpected error occurred|not already|if already|unauthenticated requests|unauthenticated users|unauthenticated access|
		unauthenticated pull|unauthenticated rate|response is not valid|access token|first of|first time|first name|at first|
		required to|see also|was expected|expected available|invalid response|unexpected response|unexpected status|unexpected status code|
		invalid status code|bad response|got unexpected|no response body|not only|must be a temporary|expected to|error code|
		error type|is not your fault|not your fault|not a problem with|already retried|retried already|wrong with|wrong while|
		went wrong|is wrong|something went wrong|due to an unexpected|access point|available for|allowed_hosts|
		existing connection`},
}
