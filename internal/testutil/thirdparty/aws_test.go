package thirdparty

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

const dynamo = "aws-sdk-go-v2/dynamodb"

var awsCases = []testCase{
	{dynamo, "ThrottlingException", "4", getItem(400, "ThrottlingException"), transient, yes, 0},
	{
		dynamo, "ProvisionedThroughputExceededException", "4", getItem(400, "ProvisionedThroughputExceededException"),
		transient, yes, 0,
	},
	{dynamo, "RequestLimitExceeded", "4", getItem(400, "RequestLimitExceeded"), transient, yes, 0},
	{dynamo, "AccessDeniedException", "4", getItem(400, "AccessDeniedException"), permission, no, 0},
	{dynamo, "UnrecognizedClientException", "4", getItem(400, "UnrecognizedClientException"), permission, no, 0},
	{dynamo, "ExpiredTokenException", "4", getItem(400, "ExpiredTokenException"), permission, no, 0},
	{dynamo, "ValidationException", "4", getItem(400, "ValidationException"), validation, no, 0},
	{dynamo, "ResourceNotFoundException", "4", getItem(400, "ResourceNotFoundException"), validation, no, 0},
	{dynamo, "ConditionalCheckFailedException", "4", getItem(400, "ConditionalCheckFailedException"), business, no, 0},
	{
		dynamo, "TransactionConflictException", "4", getItem(400, "TransactionConflictException"), or(transient, business),
		nil, 0,
	},
	{dynamo, "InternalServerError", "4", getItem(500, "InternalServerError"), transient, yes, 0},
	{dynamo, "ServiceUnavailable", "4", getItem(503, "ServiceUnavailable"), transient, yes, 0},
	{dynamo, "dial refused", "1", func(t *testing.T) error {
		return getItemAt(t, "http://"+refused(t))
	}, transient, yes, 0},
	{
		dynamo, "the last of three attempts is refused", "1",
		value(&retry.MaxAttemptsError{Attempt: 3, Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}),
		transient, &expectation{unproven: true}, 0,
	},
	{dynamo, "generic smithy error, client fault", "4", value(&smithy.OperationError{
		ServiceID: "EC2", OperationName: "RunInstances",
		Err: &smithy.GenericAPIError{Code: "InvalidParameterValue", Message: secret, Fault: smithy.FaultClient},
	}), validation, no, 0},
}

func getItem(status int, code string) func(*testing.T) error {
	body := fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":%q}`, code, secret)
	return func(t *testing.T) error { return getItemAt(t, answer(t, status, nil, body)) }
}

func getItemAt(t *testing.T, address string) error {
	t.Helper()
	client := dynamodb.New(dynamodb.Options{
		Region:       "eu-central-1",
		BaseEndpoint: aws.String(address),
		Retryer:      aws.NopRetryer{},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: secret}, nil
		}),
	})
	_, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("t"),
		Key:       map[string]types.AttributeValue{"k": &types.AttributeValueMemberS{Value: "v"}},
	})
	return err
}
