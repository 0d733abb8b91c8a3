// Version 2 of the TypeScript SDK, with its default protocol version and with the newest.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { run } from './run.mjs';

for (const mode of ['legacy', { pin: '2026-07-28' }]) {
  await run(`TypeScript v2 (${mode.pin ?? mode})`, {
    newClient: () => new Client({ name: 'v2', version: '2.0.0' }, { versionNegotiation: { mode } }),
    stdio: (server) => new StdioClientTransport(server),
    http: (url) => new StreamableHTTPClientTransport(url),
    callTool: (client, params) => client.callTool(params, { timeout: 5000 }),
  });
}
