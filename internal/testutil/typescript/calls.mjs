// The calls that every client makes, and their expected results.
import { isDeepStrictEqual } from 'node:util';

const kinds = {
  timeout: ['transient', 'timeout', true],
  unavailable: ['transient', 'unavailable', true],
  throttle: ['transient', 'rate_limited', true],
  reset: ['transient', 'unavailable', true],
  denied: ['permission', 'permission_denied', false],
  'lost-reply': ['transient', 'unavailable', true],
  panic: ['transient', 'internal', false],
};

// A tool that changes something and takes no key may only be repeated if it is certain that
// nothing was done.
const once = ([category, code]) => [category, code, code === 'rate_limited'];

const invalid = ['validation', 'invalid_argument', false];
const missing = ['validation', 'missing_argument', false];

// For each tool: arguments that are refused, with the expected failure; then arguments that
// succeed, with the structured content, and the beginning of the text if nothing was found.
const tools = {
  get_customer: {
    refused: [
      [undefined, missing],
      [{}, missing],
      [{ customer_id: 10001 }, invalid],
      [{ customer_id: '10001' }, invalid],
      [{ customer_id: 'CUS-10001', surname: 'Doe' }, invalid],
    ],
    answered: [
      [{ customer_id: 'CUS-10001' }, { customers: [{ id: 'CUS-10001', name: 'Customer CUS-10001' }] }],
      [{ customer_id: 'CUS-99999' }, { customers: [] }, 'No customer found'],
    ],
  },
  lookup_order: {
    refused: [
      [undefined, missing],
      [{}, missing],
      [{ customer_id: 'CUS-10001', days: 'ninety' }, invalid],
      [{ customer_id: 'somebody' }, invalid],
    ],
    answered: [
      [{ customer_id: 'CUS-10001' }, { orders: [{ id: 'ORD-7', amount: 40 }, { id: 'ORD-8', amount: 650 }] }],
      [{ customer_id: 'CUS-48291' }, { orders: [] }, 'No orders found'],
    ],
  },
  process_refund: {
    refused: [
      [undefined, missing],
      [{ order_id: 'ORD-7' }, missing],
      [{ order_id: 'ORD-7', amount: 'forty' }, invalid],
      [{ order_id: 'ORD-7', amount: 0 }, ['validation', 'out_of_range', false]],
      [{ order_id: 'ORD-8', amount: 650 }, ['business', 'limit_exceeded', false]],
    ],
    answered: [
      [
        { order_id: 'ORD-7', amount: 40, idempotency_key: 'k' },
        { refund_id: 'REF-1', order_id: 'ORD-7', amount: 40, idempotency_key: 'k' },
      ],
    ],
  },
  escalate_to_human: {
    repeatable: once,
    refused: [
      [undefined, missing],
      [{}, missing],
      [{ reason: 7 }, invalid],
      [{ reason: '' }, missing],
    ],
    // The previous ticket belongs to the call whose reply was lost.
    answered: [[{ reason: 'The customer asks for a person.' }, { ticket: 'TICKET-2' }]],
  },
};

// The flags that make the first calls of every tool fail, once in each way. The time limit
// is longer than a busy machine needs.
export const flags = ['-timeout', '1500ms'].concat(
  Object.keys(tools).flatMap((tool) => Object.keys(kinds).flatMap((kind) => ['-fault', `${tool}=${kind}:1`])),
);

// check makes all calls and returns their number. It throws an error with all differences.
// The client must have listed the tools before, because a client that knows the output
// schemas validates results against them.
export async function check(listed, callTool) {
  const wrong = [];
  let calls = 0;
  const call = async (name, args, judge) => {
    calls++;
    const fault = await callTool({ name, arguments: args }).then(judge, (error) => `callTool throws: ${error.message}`);
    if (fault) wrong.push(`${name} ${JSON.stringify(args)}: ${fault}`);
  };

  for (const name of Object.keys(tools)) {
    if (!listed.find((tool) => tool.name === name)?.outputSchema) wrong.push(`${name} is not listed with an output schema`);
  }
  await Promise.all(
    Object.entries(tools).map(async ([name, { refused, answered, repeatable = (due) => due }]) => {
      for (const [args, due] of refused) await call(name, args, (result) => notFailure(result, due));
      for (const due of Object.values(kinds)) await call(name, answered[0][0], (result) => notFailure(result, repeatable(due)));
      for (const [args, data, text] of answered) await call(name, args, (result) => notSuccess(result, data, text));
    }),
  );

  // An unknown tool cannot be called, and has no result. The specification requires
  // JSON-RPC's "invalid params".
  calls++;
  await callTool({ name: 'close_account', arguments: {} }).then(
    (result) => wrong.push(`close_account: a result for a tool that does not exist: ${JSON.stringify(result)}`),
    (error) => error.code === -32602 || wrong.push(`close_account: error code ${error.code}: ${error.message}`),
  );
  if (wrong.length > 0) throw new Error(`\n  ${wrong.join('\n  ')}`);
  return calls;
}

// notFailure returns how a result differs from the expected failure.
function notFailure(result, [category, code, retryable]) {
  const as = `: ${JSON.stringify(result)}`;
  if (result.isError !== true) return `isError is not true${as}`;
  if ('structuredContent' in result) return `a failure with structured content${as}`;
  if (result.content?.length !== 1 || result.content[0].type !== 'text') return `not one text block${as}`;
  let envelope;
  try {
    envelope = JSON.parse(result.content[0].text);
  } catch {
    return `the text is not JSON${as}`;
  }
  if (envelope.isError !== true) return `the envelope has no isError${as}`;
  if (envelope.errorCategory !== category || envelope.code !== code || envelope.isRetryable !== retryable)
    return `should be ${category} ${code}, retryable ${retryable}${as}`;
  for (const key of ['message', 'hint', 'correlationId'])
    if (typeof envelope[key] !== 'string' || envelope[key] === '') return `the envelope has no ${key}${as}`;
}

// notSuccess returns how a result differs from the expected success.
function notSuccess(result, data, text) {
  const as = `: ${JSON.stringify(result)}`;
  if (result.isError) return `a failure${as}`;
  if (!isDeepStrictEqual(result.structuredContent, data)) return `structured content should be ${JSON.stringify(data)}${as}`;
  if (result.content?.[0]?.type !== 'text' || result.content[0].text === '') return `no text${as}`;
  if (text && !result.content[0].text.startsWith(text)) return `the text should begin with "${text}"${as}`;
}
