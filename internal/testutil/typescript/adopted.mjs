// The failed results of an existing server in clients of both versions: node adopted.mjs
// ADOPTED, with the path of the program adopted.
import { Client as V1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as V2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

const server = { command: process.argv[2], args: [], stderr: 'ignore' };
const v2 = (mode) => () => [new V2({ name: 'v2', version: '2' }, { versionNegotiation: { mode } }), new StdioV2(server)];
const clients = {
  'TypeScript v1': () => [new V1({ name: 'v1', version: '1' }), new StdioV1(server)],
  'TypeScript v2 (legacy)': v2('legacy'),
  'TypeScript v2 (2026-07-28)': v2({ pin: '2026-07-28' }),
};

// For each tool: the message or a pattern for it, the details, and the types of the further
// blocks.
const due = {
  sentence: [/^The moon is in the way\.$/, undefined, []],
  error: [/^The moon is in the way\.$/, undefined, []],
  long: [/^main\.go:1: [^]* … [^]*undefined: x\n$/, undefined, ['text']],
  blocks: [/^The build has failed\.$/, undefined, ['image', 'resource_link', 'text']],
  json: [/^No such order\.$/, '{"order":7}', []],
  structured: [/^Out of stock\.$/, '{"id":7,"left":0}', []],
};

// A program that hangs fails.
setTimeout(() => {
  console.error('gave up after a minute');
  process.exit(1);
}, 60_000).unref();

for (const [name, make] of Object.entries(clients)) {
  const [client, transport] = make();
  const wrong = [];
  await client.connect(transport);
  const { tools } = await client.listTools(); // the client then knows the output schemas
  for (const [tool, [message, details, further]] of Object.entries(due)) {
    const fault = await client.callTool({ name: tool, arguments: {} }).then(
      (result) => {
        const [first, ...rest] = result.content;
        const envelope = JSON.parse(first.text);
        if (!tools.find((t) => t.name === tool)?.outputSchema) return 'it is not listed with an output schema';
        if (result.isError !== true || envelope.isError !== true) return 'isError is not true';
        if ('structuredContent' in result) return 'it has structured content';
        if (!message.test(envelope.message)) return 'it has another message';
        if (JSON.stringify(envelope.details) !== details) return 'it has other details';
        if (rest.map((block) => block.type).join() !== further.join()) return 'it has other blocks';
        if (tool === 'long' && rest[0].text.length !== 24_000) return 'the text is not complete';
      },
      (error) => `callTool throws: ${error.message}`,
    );
    if (fault) wrong.push(`${tool}: ${fault}`);
  }
  await client.close();
  if (wrong.length > 0) process.exitCode = 1;
  console.log(`${name}: ${wrong.length > 0 ? wrong.join('\n  ') : 'all results are complete'}`);
}
