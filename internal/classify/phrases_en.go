package classify

// english are the wordings of failures that a repeat does not help against.
var english = []phrases{
	// Calls that do not fit the tool.
	{"en", says, invalid, 6, "the MCP SDKs, pydantic, zod, Ajv", `
		input validation error|input validation failed|invalid arguments for tool|invalid argument for tool|validation errors|
		validation error|validation errors for|validation error for|validation failed|schema validation|validating arguments|
		unknown tool|invalid params|invalid_type|unrecognized keys|unrecognized key|invalid_string|invalid_enum_value|too_small|
		too_big|invalid input error`},
	{"en", says, missing, 5, "the MCP SDKs, pydantic, zod", `
		missing required~|is a required property|field required|is required|are required|required fields are missing|
		required field is missing|required parameter~|required argument~|required field~|required property|required properties|
		required option~|required positional argument~|missing positional~|missing parameter~|missing argument~|missing field~|
		missing property|missing value~|missing param~|missing header~|missing mandatory|must be provided|must be specified|
		must be set|must be supplied|must provide|must specify|must include|must supply|needs to be provided|need to provide|
		need to specify|cannot be empty|can't be empty|can not be empty|must not be empty|may not be empty|should not be empty|
		cannot be blank|can't be blank|must not be blank|cannot be null|can't be null|must not be null|may not be null|
		cannot be none|cannot be undefined|must be non empty|expected non empty|is mandatory|is missing|are missing|
		no arguments provided|is empty|no value given|at least one of|you must specify|specify the|please specify|please provide`},
	{"en", ifNot, missing, 3, "common", "provided|specified|supplied|given|passed"},
	{"en", says, invalid, 4, "common", `
		cannot unmarshal|unmarshal error|error unmarshaling|is outside|lies outside|falls outside|not visible|not interactable|
		not clickable|must be|must not be|should be|should not be|has to be|have to be|must have|must contain|must match|
		must start|must end|must use|must only|must not|cannot be negative|cannot be used|cannot be combined|
		cannot be converted|cannot be parsed|cannot be set|may only contain|can only contain|only accepts|only supports|
		expected a|expected an|expected string|expected number|expected object|expected array|expected boolean|expected type|
		expected one of|expected integer|expects a|expects an|got string|instead got|invalid argument~|invalid parameter~|
		invalid param|invalid params|invalid value~|invalid input~|invalid type~|invalid format~|invalid request~|invalid query|
		invalid url|invalid uri|invalid date~|invalid time~|invalid json|invalid xml|invalid yaml|invalid syntax|
		invalid option~|invalid id|invalid ids|invalid identifier~|invalid field~|invalid path~|invalid name~|invalid email~|
		invalid subject|invalid range~|invalid enum|invalid integer|invalid number|invalid cursor|invalid page~|invalid regex~|
		invalid pattern|invalid character~|invalid relationship|invalid uuid|invalid column|invalid choice|invalid filter|
		invalid address|invalid timezone|invalid language|invalid currency|invalid expression|invalid selector|invalid payload|
		invalid body|invalid operation|invalid mode|invalid key|malformed|ill formed|syntax error~|error in your sql syntax|
		parse error|parsing error|while parsing|parser error|unsupported value|unsupported type|unsupported format|
		unsupported media type|unsupported protocol|unsupported scheme|unsupported operation|not a valid|isn't a valid|
		is not valid|isn't valid|not a number|not an integer|not a string|not a directory|not a file|is a directory|too long|
		too big|too large|too short|too small|too many arguments|too many parameters|too many items|too many characters|
		too many values|too deep|larger than|bigger than|longer than|higher than|lower than|smaller than|shorter than|
		than allowed|than permitted|less than the minimum|less than minimum|greater than the maximum|greater than maximum|
		greater than or equal|less than or equal|more than the maximum|below the minimum|below minimum|above the maximum|
		maximum allowed|maximum length|max length|minimum length|exceeds maximum|exceeds the maximum|exceed the maximum|
		exceeds the limit|exceeds limit|exceeds max|exceeds maximum~|maximum context length|context length exceeded|
		token limit exceeded|request entity too large|payload too large|file size limit|size limit exceeded|length exceeded|
		must not exceed|cannot exceed|out of range|out of bounds|not in range|strict mode violation|eisdir|enotdir|einval|
		enametoolong|eresolve|wrongtype|not a git repository|did not match any~|is meaningless|unknown type|unknown parameter~|
		unknown argument~|unknown option~|unknown field~|unknown key~|unknown property|unknown method|unknown command|
		unknown action|unknown function|unknown operation|unknown format|unknown value|unknown variable|unknown identifier|
		unknown enum|unrecognized|unrecognised|unexpected token|unexpected argument~|unexpected keyword argument|
		unexpected field|unexpected property|unexpected character|unexpected parameter|unexpected end of|unexpected value|
		additional properties|additional property|extra fields|extra inputs|violates not null constraint|
		violates foreign key constraint|violates check constraint|foreign key constraint fails|not null constraint failed|
		check constraint failed|foreign key constraint failed|constraint violation|type mismatch|mismatched types|
		does not match the|does not match pattern|do not match|doesn't match|not match|wrong type|wrong format|wrong number of|
		wrong argument~|bad request|bad value|bad parameter|bad format|bad argument|badly formatted|incorrect format|
		incorrect value|incorrect syntax|incorrect parameter|mutually exclusive|cannot be both|either~|not supported|
		isn't supported|unsupported|not implemented|no such option|cannot parse|could not parse|couldn't parse|unable to parse|
		failed to parse|cannot decode|could not decode|failed to decode|unable to decode|unable to convert|cannot convert|
		could not convert|cannot be combined with|unprocessable|unprocessable entity|error parsing|error decoding|not nullable|
		invalid reference|division by zero|contains invalid|illegal argument|illegal character~|illegal value|nothing to update|
		no fields to update|no updates provided|no changes specified|ambiguous column`},
	{"en", says, invalid, 2, "common", `
		invalid|illegal|incorrect|nonexistent|non existent|mismatch~|misspelled|expected|disallowed value|wrong|isn't a|
		is not a|is not an`},
	{"en", ifNot, invalid, 3, "common", `
		valid|recognized|recognised|known|supported|understood|parse|accepted|acceptable|parseable|compatible|well formed|
		an object|an array|numeric`},
	{"en", says, ambiguous, 4, "common", `
		ambiguous|multiple matches|multiple results|matches multiple|more than one match~|multiple models found|
		multiple users found|multiple items found|multiple entries found|matched multiple|be more specific|did you mean one of|
		several matches|please disambiguate`},
	{"en", says, missing, 1, "common", "missing|mandatory"},

	// What is not there.
	{"en", says, notFound, 4, "common", `
		not found|notfound|could not find|couldn't find|can't find|cannot find|unable to find|failed to find|did not find|
		does not exist|doesn't exist|do not exist|don't exist|did not exist|didn't exist|no longer exists|
		no such file or directory|no such file|no rows|no documents in result|matched no|matches no|match no|no such table|
		no such column|no such key|no such container|no such user|no such object|no such|there is no|there's no|
		doesn't have a resource type|unknown column|unknown table|unknown database|unknown category|unknown model|unknown user|
		unknown resource|unknown id|unknown symbol|unknown index|unknown topic|unknown server|unknown collection|
		unknown project|unknown entity|unknown name|unknown unit|undefined table|undefined column|undefined variable|enoent|
		could not be found|couldn't be found|cannot be found|can't be found|could not be located|could not locate|cannot locate|
		unable to locate|failed to locate|nonexistent resource|has been deleted|was deleted|no open~|unresolved reference|
		could not resolve|cannot resolve|no record of|no match for|can't open file|nosuchkey|object_not_found|not known|
		not registered|page does not exist|does not refer to|no commits|no default|is gone`},
	{"en", says, notFound, 5, "common", `
		does not exist or you do not have access|does not exist or you don't have access|
		does not exist or you do not have permission|does not exist or you don't have permission|
		doesn't exist or you don't have access|doesn't exist or you don't have permission|not found or you don't have access|
		not found or you do not have access|not found or access denied|not found or not accessible|not found or no access|
		does not exist or not authorized|does not exist or is not accessible|not found or not authorized|
		not found or insufficient permissions|no access or does not exist`},
	{"en", ifNot, notFound, 3, "common", "found|exist|exists|existing|located|find|matching|matched|matches|match"},

	// Who may.
	{"en", says, unauthenticated, 4, "common", `
		authentication failed|authentication error|authentication required|authentication failure|authentication is required|
		authentication credentials|requires authentication|not authenticated|unauthenticated|authenticate first|
		please authenticate|must authenticate|need to authenticate|unable to authenticate|failed to authenticate|
		could not authenticate|could not be authenticated|invalid api key|invalid apikey|invalid key provided|invalid api token|
		invalid credentials|invalid credential|invalid token|invalid access token|invalid auth~|invalid bearer|invalid session|
		invalid login|invalid username|invalid user name|invalid password|invalid signature|invalid client|invalid grant|
		invalid client secret|invalid refresh token|invalid secret|invalid jwt|invalid personal access token|key is invalid|
		token is invalid|token is not valid|token invalid|api key is not valid|api key not valid|credentials are invalid|
		credentials are not valid|credentials are incorrect|bad credentials|incorrect api key|incorrect password|
		incorrect username~|incorrect credentials|wrong password|wrong username|wrong credentials|wrongpass|session expired|
		session has expired|session is invalid|session not found or expired|token expired|token has expired|token is expired|
		token was revoked|token revoked|token has been revoked|expired token|expired api key|key expired|key has expired|
		credentials expired|credentials have expired|login expired|login has expired|authorization expired|signature expired|
		jwt expired|token may be expired|re authorize|reauthorize|re authenticate|reauthenticate|you must log in|must log in|
		must login|need to log in|need to login|please log in|please login|please sign in|log in first|log in again|login again|
		sign in again|sign in to|login required|login is required|login failed|log in failed|not logged in|not signed in|
		logged out|no api key|no api token|no token provided|no auth token|no access token|no credentials|no authentication|
		no authorization|missing api key|missing api token|missing token|missing access token|missing credentials|missing auth~|
		missing or invalid api key|missing or invalid token|missing bearer|api key required|api key is required|
		api key is missing|api key missing|api key not found|api key not set|api key not configured|token is required|
		token required|access token is required|api token is required|check server credentials|check your credentials|
		check your api key|check credentials|check your token|unable to locate credentials|could not load credentials|
		could not load the default credentials|default credentials were not found|need auth|noauth|invalid_session_id|
		expired_token|password authentication failed|access denied for user|password is incorrect|password mismatch|
		account not verified|two factor|2fa|mfa required|otp required|signature mismatch|signature does not match|
		signature verification failed|failed to retrieve a token|token verification failed|user unauthenticated|cookie expired|
		cookies expired|cookie is invalid|oauth error|consent required|reconnect your account|expired session|
		not been authenticated|is not logged in|is not authenticated`},
	{"en", ifAccess, unauthenticated, 5, "common", `
		expired|has expired|have expired|is expired|was expired|revoked|was revoked|been revoked|is invalid|are invalid|invalid|
		is not valid|are not valid|incorrect|is incorrect|was rejected|not accepted|is missing|are missing|missing|not provided|
		was not provided|not supplied|is not set|not set|no longer valid|not found|not configured|is not configured|
		are not configured|cannot be verified|could not be verified|does not match|malformed|not found or expired|not recognized`},
	{"en", access, unknown, 0, "", `
		token|tokens|auth token|access token|refresh token|api token|bearer token|id token|api key|apikey|access key|credential|
		credentials|password|passphrase|jwt|authorization|authorization header|auth header|bearer|oauth|client secret|
		personal access token|security token`},
	{"en", nothing, unknown, 0, "common", `
		page token|next page token|sync token|continuation token|pagination token|session not found|unexpected token|
		invalid token at|csrf token|seconds is required|minutes is required|request canceled|request cancelled|
		request was canceled|request was cancelled|request has been canceled`},
	{"en", says, scope, 5, "OAuth", `
		insufficient scope|insufficient_scope|missing scope|missing required scope|missing the scope|required scope~|
		oauth scope~|insufficient scopes|needs the scope|token scopes|lacks the scope|lack required scope~|missing repo scope|
		access token scope`},
	{"en", says, denied, 4, "common", `
		permission denied|permissions denied|permission error|access denied|access is denied|access was denied|
		access to this resource is denied|access forbidden|forbidden|not authorized|not authorised|isn't authorized|
		unauthorized|unauthorised|authorization failed|authorization error|not enough privileges|not enough permissions|
		insufficient permission~|insufficient privilege~|insufficient access|insufficient rights|
		insufficient authentication scopes|have permission|have permissions|requires permission|requires the permission|
		required permission~|necessary permission~|needs permission|no permission~|no access|without permission|
		lack permission~|lacks permission~|lacks the permission|missing permission~|missing access|missing privilege~|
		not accessible by|not accessible|may not have access|path not allowed|outside of the allowed|outside the allowed|
		outside allowed|outside of allowed|not within allowed|outside the workspace|outside the project|outside of the project|
		outside of the workspace|path traversal|operation not permitted|not permitted|isn't permitted|eacces|eperm|erofs|noperm|
		not allowed to|is not allowed to access|accessnotconfigured|access not configured|api has not been used|
		has not been used in project|admin only|admins only|requires admin~|must be an admin~|to be an admin~|to be admin|
		to be an owner|to be the owner|to be a member|blocked by the user|is blocked|was blocked|has been blocked|been blocked|
		been banned|is banned|was banned|must be admin~|must be the owner|must be a member|must be owner|only the owner|
		only admins|only administrators|only owners|not the owner|not a member|not an admin~|isn't a member|role required|
		requires the role|requires role|you don't own|privileges required|not writeable|not writable|not readable|
		cannot be accessed|access restricted|restricted to|access blocked|not shared with|write protected|
		access has been denied|access not granted|access not allowed|no read access|no write access|not granted|not entitled|
		entitlement|not enough access|unauthorized access|denied access|user unauthorized`},
	{"en", ifNot, denied, 4, "common", `
		have access|has access|have permission to|have sufficient permission~|have the permission~|
		have the required permission~|have the necessary permission~|have enough permission~|have privileges|have rights|
		have the right|authorized|authorised|permitted|permission|permissions|access to|privileges`},
	{"en", says, denied, 3, "common", "denied"},
	{"en", takesBack, denied, 2, "common", `
		blocked|banned|blacklisted|blocklisted|allow list|allowlist|whitelist|whitelisted|blacklist|denylist|deny list|abuse|
		abusive|suspicious|captcha|vpn|firewall|security group|network policy|policy|policies|geo~|region|regions|country|
		countries|jurisdiction|your location|compliance|sanction~|embargo~|terms of service|moderation|content filter|safety`},

	// State and policy.
	{"en", says, exists, 5, "common", `
		already exists|already exist|already existing|exists already|file exists|eexist|duplicate key|duplicate entry|
		duplicate value~|duplicate name|duplicate record|duplicated|duplicate|duplicates|e11000|unique constraint|
		unique_violation|uniqueness|must be unique|not unique|isn't unique|name is taken|already taken|name_taken|
		already in the list|already a member|already registered|already added|name conflict`},
	{"en", says, precondition, 4, "common", `
		already|conflict|conflicts|conflicting|conflicted|edit conflict|merge conflict~|not mergeable|is not mergeable|
		transition not allowed|not allowed|isn't allowed|aren't allowed|disallowed|not applicable|is disabled|are disabled|
		has been disabled|disabled|was disabled|deactivated|inactive|not active|isn't active|not enabled|isn't enabled|
		is not open|not open|is closed|are closed|is locked|are locked|is locked by|account locked|has been locked|been locked|
		been suspended|been disabled|been closed|been terminated|been restricted|been flagged|been limited|been frozen|
		been removed from|rejected as|rejected for|message rejected|locked by|frozen|is archived|archived|is suspended|
		suspended|on hold|paused|read only|readonly|in read only|did not confirm|did not confirm~|user did not confirm~|
		user did not approve~|user did not accept~|user did not grant~|user did not allow~|declined|declined by|user rejected|
		user cancelled|user canceled|cancelled by|canceled by|cancelled by user|user denied|denied by user|denied by the user|
		rejected by user|user aborted|aborted by user|not supported in|precondition|precondition failed|failed precondition|
		cannot be fulfilled|cannot be modified|cannot be changed|cannot be deleted|cannot be removed|cannot be updated|
		cannot be edited|cannot be cancelled|cannot be canceled|cannot be refunded|cannot be merged|cannot be undone|
		cannot be enabled|cannot be disabled|cannot be moved|cannot be assigned|cannot be created|cannot be closed|
		cannot be reopened|cannot be completed in|can't be modified|can't be changed|can't be deleted|can't be updated|
		can no longer|no longer available|no longer possible|cannot transition~|can't transition~|has closed|has been closed|
		been shut down|been switched off|been turned off|cannot delete|cannot modify|cannot update|cannot edit|cannot merge|
		cannot cancel|cannot remove|cannot execute|can only be|may only be|only allowed|still in use|still has|still managing|
		is still referenced|is referenced by|still referenced|in use by|is in use|already in use|in use|depends on|
		dependent objects|has dependents|has children|not empty|is not empty|enotempty|would be overwritten|
		current transaction is aborted|non fast forward|nothing to commit|nothing to commit working tree clean|
		idempotent requests can only be used|idempotency|because it has a status of|invalid state|illegal state|wrong state|
		not in a state|bad state|state transition|invalid transition|invalid status|object has been modified|has been modified|
		has been changed|modified since|modified by another|is not the latest|stale|out of date|outdated|version mismatch|
		out of stock|sold out|not in stock|insufficient stock|insufficient inventory|unavailable for purchase|market is closed|
		market closed|outside of market hours|outside business hours|trading halted|not eligible|ineligible|doesn't qualify|
		does not qualify|not available for|not available in|not available on|isn't available|must first|needs to be|
		protected branch|branch is protected|requires approval|approval required|needs approval|pending approval|not approved|
		not confirmed|not been confirmed|not verified|is pending|is in progress|in progress|is already running|already running|
		not started|not running|has not started|has ended|has finished|is over|is final|is cancelled|is canceled|was cancelled|
		was canceled|been cancelled|been canceled|is completed|not in a transaction|no active|no transaction|not initialized|
		not initialised|not configured for|not supported by your|isn't supported for|against policy|violates|violation|
		prohibited|refused by|refused to|rejected by|rejected because|rejected due|was rejected|is rejected|been rejected|
		deprecated|retired|discontinued|decommissioned|sunset|end of life|no longer supported|no longer maintained|
		no longer active|obsolete|permanently|safety feature|not allowed in|only one|can only have one|still running|
		insufficient buying power|buying power|not tradable|destructive|is reserved|reserved name|referenced by|too late|
		too early|cooldown period has not|not yet|feature flag|not installed for`},
	{"en", says, precondition, 3, "common", "has expired|have expired|expired|is expired|expires"},
	{"en", says, precondition, 2, "common", "first"},
	{"en", ifNot, precondition, 2, "common", `
		allowed|enabled|active|available|mergeable|modifiable|editable|deletable|eligible|refundable|cancellable|confirmed|
		approved|verified|open|possible`},
	{"en", says, limit, 5, "common", `
		quota exceeded|quota_exceeded|quota limit exceeded|exceeded quota|exceeded your quota|exceeded your current quota|
		exceeded its quota|exceeded the quota|over quota|quota reached|quota has been reached|quota has been exceeded|
		quota exhausted|quota used up|out of quota|insufficient quota|insufficient_quota|no quota|check your plan and billing|
		exceeds your quota|exceeds your plan|exceed your quota|exceeds the quota|plan's limit|plan's set usage limit|
		plan limit~|limit of your plan|usage limit~|usage cap|usage quota|budget exceeded|budget exhausted|budget limit|
		budget has been exceeded|over budget|exceeds budget|monthly limit~|daily limit~|weekly limit~|hourly limit~|
		yearly limit|annual limit|monthly quota|daily quota|spending limit|spend limit|spending cap|credit limit|
		hard limit reached|payment required|requires payment|payment failed|payment method|insufficient funds|
		insufficient credit~|insufficient balance|insufficient_funds|not enough credits|not enough funds|not enough balance|
		not enough quota|insufficient tokens|out of credits|no credits|no remaining credits|credits exhausted|
		credits have been used|ran out of credits|credit balance is too low|balance is too low|upgrade your plan|
		upgrade your account|upgrade your subscription|upgrade to|card declined|card was declined|card has been declined|
		your card|billing not enabled|billing is not enabled|billing is disabled|billing hard limit|enable billing|
		billing account|subscription required|requires a subscription|requires a paid|paid plan|paid feature|premium feature|
		premium only|premium plan|pro plan|enterprise plan|enterprise only|only available on|only available for|
		only available to|not included in your plan|your plan does not|your current plan|not available on your plan|free tier|
		free plan|trial expired|trial has expired|trial has ended|trial period|subscription expired|subscription has expired|
		no active subscription|license expired|license has expired|license required|no license|maximum number of|max number of|
		reached the maximum|reached the limit|reached your limit|reached its limit|limit reached|limit has been reached|
		limit exceeded|limit was exceeded|limit has been exceeded|exceeded the limit|exceeded limit|exceeded your limit|
		exceeded maximum|exceeded the maximum number|over the limit|over your limit|limit for your|seat limit|storage full|
		storage is full|storage limit|mailbox is full|mailbox full|account limit~|allocation exceeded|edquot|
		disk quota exceeded|spam limit|quota`},

	// The tool's own trouble.
	{"en", says, internal, 4, "common", `
		getaddrinfo enotfound|enotfound|no such host|name or service not known|nodename nor servname|unknown host~|
		could not resolve host~|cannot resolve host~|couldn't resolve host|name resolution|name not resolved|
		err_name_not_resolved|name does not resolve|dns lookup failed|dns resolution failed|dns_probe~|nxdomain|
		failed to resolve|unable to resolve|eai_noname|host not found|certificate verify failed|certificate_verify_failed|
		certificate has expired|certificate expired|certificate is expired|certificate is not~|certificate signed by|
		certificate is valid for|certificate not trusted|certificate validation|certificate verification|invalid certificate|
		unable to verify the first certificate|unable to get local issuer~|unable to get issuer~|depth_zero_self_signed_cert|
		self signed certificate~|self_signed_cert~|x509~|cert_has_expired|err_cert~|err_tls_cert~|certificate|ssl certificate~|
		hostname mismatch|hostname doesn't match|hostname/ip does not match|handshake failure|wrong version number|unknown ca|
		unsafe legacy renegotiation|no space left|enospc|disk full|disk is full|out of disk|out of memory|outofmemory|
		heap out of memory|memory limit|cannot allocate memory|oom killed|oomkilled|oom|memory exhausted|segmentation fault|
		core dumped|exit code|exited with|exit status|exit value|sigkill|sigterm|sigsegv|killed|err_unsupported_protocol|
		protocol version mismatch|missing dependency|cannot find module|no module named|module not found|not installed|
		is not recognized as an internal|not in path|environment variable~|env var~|misconfigured|misconfiguration|misconfig~|
		configuration error|config error|not configured|bad configuration|invalid configuration|missing configuration|
		incompatible version~`},
	{"en", nothing, unknown, 0, "common", `
		disk image is malformed|unknown error|an unknown error|unknown error occurred|unexpected error|an unexpected error|
		unexpected error occurred|not already|if already|unauthenticated requests|unauthenticated users|unauthenticated access|
		unauthenticated pull|unauthenticated rate|response is not valid|access token|first of|first time|first name|at first|
		required to|see also|was expected|invalid response|unexpected response|unexpected status|unexpected status code|
		invalid status code|bad response|got unexpected|no response body|not only|must be a temporary|expected to|error code|
		error type|is not your fault|not your fault|not a problem with|already retried|retried already|wrong with|wrong while|
		went wrong|is wrong|something went wrong|due to an unexpected|access point|available for|allowed_hosts|
		existing connection`},
}
