package redact

// vendors are services whose keys have no recognizable form: a random value after their
// name is a key. From the public rules of gitleaks 8.30.
const vendors = `
	adafruit adobe airtable algolia alibaba asana atlassian artifactory beamer bintray bitbucket bittrex cloudflare codecov cohere coinbase confluence
	confluent contentful contribsys datadog discord droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku
	hubspot intercom jfrog jira kraken kucoin launchdarkly linear linkedin lob looker mailchimp mailgun mapbox mattermost meraki messagebird netlify
	newrelic newyorktimes nytimes okta plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo telegram telegr travis twitch twitter
	typeform xray yandex zendesk`
