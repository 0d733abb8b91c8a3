package thirdparty

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go"
	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	tchttp "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/http"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	groups "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// k8sWire takes an error of an API server through its Status in JSON and
// back, as client-go does.
func k8sWire(t *testing.T, e *apierrors.StatusError) error {
	b, err := json.Marshal(e.Status())
	if err != nil {
		t.Fatal(err)
	}
	var st metav1.Status
	if err := json.Unmarshal(b, &st); err != nil {
		t.Fatal(err)
	}
	return apierrors.FromObject(&st)
}

func k8sCases(t *testing.T) []labelled {
	const lib = "k8s.io/apimachinery"
	dep := groups.GroupResource{Group: "apps", Resource: "deployments"}
	pods := groups.GroupResource{Resource: "pods"}
	w := func(e *apierrors.StatusError) error { return k8sWire(t, e) }
	return []labelled{
		{lib, "NotFound", "constructed", w(apierrors.NewNotFound(dep, "web")), validation, nil, "false", "", "404"},
		{
			lib, "Forbidden", "constructed",
			w(apierrors.NewForbidden(pods, "web-0", errors.New(`User "system:serviceaccount:default:tool" cannot delete `+
				`resource "pods" in API group "" in the namespace "prod"`))), permission, nil, "false", "", "RBAC",
		},
		{
			lib, "Forbidden: exceeded quota", "constructed",
			w(apierrors.NewForbidden(pods, "web-11", errors.New("exceeded quota: compute-resources, requested: pods=1, used: "+
				"pods=10, limited: pods=10"))), business, or(permission), "false", "", "an exhausted quota under 403",
		},
		{
			lib, "Conflict", "constructed", w(apierrors.NewConflict(dep, "web", errors.New("the object has been modified; "+
				"please apply your changes to the latest version and try again"))), business, nil, "false", "",
			"optimistic lock lost: the identical request cannot succeed",
		},
		{
			lib, "Invalid", "constructed",
			w(apierrors.NewInvalid(groups.GroupKind{Group: "apps", Kind: "Deployment"}, "web",
				field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), -1, "must be greater than or equal to 0")})),
			validation, nil, "false", "", "422",
		},
		{
			lib, "AlreadyExists", "constructed", w(apierrors.NewAlreadyExists(dep, "web")), business, nil, "false", "",
			"already exists",
		},
		{
			lib, "TooManyRequests", "constructed",
			fmt.Errorf("scale: %w", w(apierrors.NewTooManyRequests("the server has received too many requests and has asked "+
				"us to try again later", 5))), transient, nil, "true", "", "429 with retryAfterSeconds",
		},
		{lib, "Timeout", "constructed", w(apierrors.NewTimeoutError("request did not complete within requested timeout - "+
			"context deadline exceeded", 0)), transient, nil, "true", notNone, "504"},
		{
			lib, "Expired continue token", "constructed", w(apierrors.NewResourceExpired("The provided continue parameter is " +
				"too old to display a consistent list result. You can start a new list without the continue parameter.")),
			validation, or(business), "false", "", "410 Expired: docs: the request is invalid because the content has expired",
		},
	}
}

func etcdCases(t *testing.T) []labelled {
	const lib = "etcd rpctypes"
	// clientv3 turns the status of the wire into an EtcdError by rpctypes.Error.
	return []labelled{
		{
			lib, "too many requests", "constructed", rpctypes.Error(rpctypes.ErrGRPCRequestTooManyRequests), transient, nil,
			"true", "", "ResourceExhausted: throttled",
		},
		{
			lib, "compacted", "constructed", rpctypes.Error(rpctypes.ErrGRPCCompacted), validation, or(business), "false", "",
			"OutOfRange: the revision is gone",
		},
		{
			lib, "request timed out", "constructed", rpctypes.Error(rpctypes.ErrGRPCTimeout), transient, nil, "true", notNone,
			"Unavailable; the proposal may still be committed",
		},
		{
			lib, "authentication failed", "constructed", rpctypes.Error(rpctypes.ErrGRPCAuthFailed), permission, or(validation),
			"false", "", "InvalidArgument by code, a wrong password by meaning",
		},
		{
			lib, "lease not found", "constructed", rpctypes.Error(rpctypes.ErrGRPCLeaseNotFound), validation, nil, "false", "",
			"NotFound",
		},
	}
}

func minioCases(t *testing.T) []labelled {
	const lib = "minio-go"
	s3 := func(status int, code, msg string, f func(*minio.Client) error) error {
		u := web(t, status, "application/xml",
			`<?xml version="1.0" encoding="UTF-8"?><Error><Code>`+code+`</Code><Message>`+msg+
				`</Message><BucketName>b</BucketName><Resource>/b/k</Resource><RequestId>4442587FB7D0A2F9</RequestId><HostId>h</HostId></Error>`)
		c, err := minio.New(strings.TrimPrefix(u, "http://"),
			&minio.Options{Creds: credentials.NewStaticV4("AK", "SK", ""), Region: "us-east-1", MaxRetries: 1})
		if err != nil {
			t.Fatal(err)
		}
		return f(c)
	}
	ctx := context.Background()
	put := func(c *minio.Client) error {
		_, err := c.PutObject(ctx, "backups", "k", strings.NewReader("data"), 4, minio.PutObjectOptions{})
		return err
	}
	stat := func(c *minio.Client) error {
		_, err := c.StatObject(ctx, "backups", "missing.txt", minio.StatObjectOptions{})
		return err
	}
	mk := func(c *minio.Client) error { return c.MakeBucket(ctx, "backups", minio.MakeBucketOptions{}) }
	return []labelled{
		{lib, "NoSuchKey (HEAD, no body)", "wire", s3(404, "x", "x", stat), validation, nil, "false", "", "404"},
		{lib, "BucketAlreadyOwnedByYou", "wire", s3(409, "BucketAlreadyOwnedByYou", "Your previous request to create the "+
			"named bucket succeeded and you already own it.", mk), business, nil, "false", "", "already exists"},
		{
			lib, "SlowDown", "wire", s3(503, "SlowDown", "Please reduce your request rate.", put), transient, nil, "true", "",
			"throttled",
		},
		{
			lib, "RequestTimeTooSkewed", "wire", s3(403, "RequestTimeTooSkewed", "The difference between the request time and "+
				"the server's time is too large.", put), permission, or(transient), "false", "",
			"the signature is refused because the clock is wrong",
		},
		{
			lib, "InternalError to a PUT", "wire",
			s3(500, "InternalError", "We encountered an internal error, please try again.", put), transient, nil, "true",
			notNone, "500; S3 asks to try again",
		},
		{lib, "PreconditionFailed", "wire", s3(412, "PreconditionFailed", "At least one of the pre-conditions you "+
			"specified did not hold", put), business, nil, "false", "", "412"},
	}
}

func tencentCases(t *testing.T) []labelled {
	const lib = "tencentcloud-sdk-go"
	call := func(addr string) error {
		p := profile.NewClientProfile()
		p.HttpProfile.Scheme = "HTTP"
		p.HttpProfile.Endpoint = addr
		c := common.NewCommonClient(common.NewCredential("id", "key"), "ap-guangzhou", p)
		r := tchttp.NewCommonRequest("cvm", "2017-03-12", "TerminateInstances")
		r.SetActionParameters(map[string]any{"InstanceIds": []string{"ins-1"}})
		return c.Send(r, tchttp.NewCommonResponse())
	}
	api := func(code, msg string) error {
		b, _ := json.Marshal(map[string]any{"Response": map[string]any{
			"Error":     map[string]any{"Code": code, "Message": msg},
			"RequestId": "ed93f3cb-f35e-473f-b9f3-0d451b8b79c6",
		}})
		return call(strings.TrimPrefix(web(t, 200, js, string(b)), "http://"))
	}
	return []labelled{
		{lib, "AuthFailure.SignatureFailure", "wire", api("AuthFailure.SignatureFailure", "The provided credentials could "+
			"not be validated. Please check your signature is correct."), permission, nil, "false", "", "authn, in a 200"},
		{
			lib, "RequestLimitExceeded", "wire", api("RequestLimitExceeded", "Your current request times equals to `21` in a "+
				"second, which exceeds the frequency limit `20` for a second. Please reduce the frequency of calls."), transient,
			nil, "true", "", "throttled",
		},
		{lib, "InvalidInstanceId.NotFound", "wire", api("InvalidInstanceId.NotFound", "The instanceIds `ins-1` does not "+
			"exist."), validation, nil, "false", "", "not found by id"},
		{lib, "LimitExceeded.InstanceQuota", "wire", api("LimitExceeded.InstanceQuota", "The number of instances exceeds "+
			"the limit of your account."), business, nil, "false", "", "quota"},
		{lib, "UnauthorizedOperation.CamNoAuth", "wire", api("UnauthorizedOperation.CamNoAuth", "You are not authorized to "+
			"perform operation (cvm:TerminateInstances) resource (qcs::cvm:ap-guangzhou:uin/1:instance/ins-1) has no permission"), permission, nil, "false", "", "authz"},
		{
			lib, "ClientError.NetworkError, refused", "triggered", call(refused(t)), transient, nil, "true", "",
			"connection refused",
		},
	}
}

func hcloudCases(t *testing.T) []labelled {
	const lib = "hcloud-go"
	run := func(u string) error {
		c := hcloud.NewClient(hcloud.WithToken("0123456789012345678901234567890123456789012345678901234567890123"),
			hcloud.WithEndpoint(u), hcloud.WithRetryOpts(hcloud.RetryOpts{MaxRetries: 0}))
		_, _, err := c.Server.Create(context.Background(),
			hcloud.ServerCreateOpts{
				Name: "web", ServerType: &hcloud.ServerType{Name: "cx22"},
				Image: &hcloud.Image{Name: "debian-12"},
			})
		return err
	}
	api := func(status int, code, msg string) error {
		return run(web(t, status, js, fmt.Sprintf(`{"error":{"code":%q,"message":%q,"details":{}}}`, code, msg)))
	}
	return []labelled{
		{
			lib, "rate_limit_exceeded", "wire", api(429, "rate_limit_exceeded", "limit of 3600 requests per hour reached"),
			transient, nil, "true", "", "429",
		},
		{
			lib, "uniqueness_error", "wire", api(409, "uniqueness_error", "server name is already used"), business,
			or(validation), "false", "", "already exists",
		},
		{
			lib, "resource_limit_exceeded", "wire", api(403, "resource_limit_exceeded", "server limit exceeded"), business, nil,
			"false", "", "an account's limit under 403",
		},
		{
			lib, "protected", "wire", api(403, "protected", "server deletion is protected"), business, or(permission), "false",
			"", "state set by the owner under 403",
		},
		{
			lib, "502 of a proxy", "wire", run(web(t, 502, html, html502)), transient, nil, "true", notNone,
			"ErrStatusCode: the status is in the text only",
		},
	}
}

func cloudflareCases(t *testing.T) []labelled {
	const lib = "cloudflare-go"
	run := func(u, zone string) error {
		api, err := cloudflare.NewWithAPIToken("tok", cloudflare.BaseURL(u), cloudflare.UsingRetryPolicy(1, 0, 0),
			cloudflare.UsingRateLimit(1000))
		if err != nil {
			t.Fatal(err)
		}
		_, err = api.CreateDNSRecord(context.Background(), cloudflare.ZoneIdentifier(zone),
			cloudflare.CreateDNSRecordParams{Type: "A", Name: "www", Content: "192.0.2.1"})
		return err
	}
	api := func(status, code int, msg string) error {
		return run(web(t, status, js, fmt.Sprintf(`{"success":false,"errors":[{"code":%d,"message":%q}],"messages":[],`+
			`"result":null}`, code, msg), "Cf-Ray", "7d1f"), "023e105f4ecef8ad9ca31a8372d0c353")
	}
	return []labelled{
		{
			lib, "403 10000 Authentication error", "wire", api(403, 10000, "Authentication error"), permission, nil, "false", "",
			"403",
		},
		{
			lib, "400 81057 record exists", "wire", api(400, 81057, "The record already exists."), business, or(validation),
			"false", "", "already exists under 400",
		},
		{
			lib, "429, own retries used up", "wire", api(429, 971, "Please wait and consider throttling your request speed"),
			transient, nil, "true", "", "text only: exceeded available rate limit retries",
		},
		{
			lib, "502, own retries used up", "wire", run(web(t, 502, html, html502), "023e105f4ecef8ad9ca31a8372d0c353"),
			transient, nil, "true", notNone, "text only; a POST",
		},
		{
			lib, "no zone id", "triggered", run("http://"+refused(t), ""), validation, nil, "false", "",
			"a required argument is missing, refused before sending",
		},
	}
}
