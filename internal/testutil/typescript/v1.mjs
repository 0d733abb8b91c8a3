// Version 1 of the TypeScript SDK. It validates structured content against the tool's
// output schema even if isError is true, and throws.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { run } from './run.mjs';

await run('TypeScript v1', {
  newClient: () => new Client({ name: 'v1', version: '1.0.0' }),
  stdio: (server) => new StdioClientTransport(server),
  http: (url) => new StreamableHTTPClientTransport(url),
  callTool: (client, params) => client.callTool(params, undefined, { timeout: 5000 }),
});
