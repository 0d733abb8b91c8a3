// The same calls with any client, over stdio and over HTTP.
import { check, flags } from './calls.mjs';
import { startHTTP, support } from './server.mjs';

// run checks one client. It calls newClient(), and stdio({ command, args }) and http(url)
// for the client's own transports, and callTool(client, params) for a call with a time
// limit.
export async function run(name, { newClient, stdio, http, callTool }) {
  const checkOver = async (how, transport) => {
    const client = newClient();
    try {
      await client.connect(transport);
      const { tools } = await client.listTools();
      const calls = await check(tools, (params) => callTool(client, params));
      console.log(`${name} over ${how}: ${calls} calls ended as they should`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name} over ${how}: ${error.message}`);
    } finally {
      await client.close();
    }
  };
  await checkOver('stdio', stdio({ command: support, args: ['-serve', ...flags], stderr: 'ignore' }));
  const server = await startHTTP(...flags);
  await checkOver('HTTP', http(server.url));
  await server.stop();
}
