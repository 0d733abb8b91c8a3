// The scenarios of the official conformance suite about failing tools and the HTTP server,
// with the server under test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';

import { own, startHTTP } from './server.mjs';

const suite = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

// scenario runs one scenario, and fails this program unless it passes. The exit status is
// not sufficient: a run without any checks is successful.
async function scenario(name, url, should) {
  const args = [suite, 'server', '--url', url.href, '--scenario', name];
  const child = own(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  if (status === should.status && should.say.test(output)) {
    console.log(`conformance: ${name} ${should.word}, as expected`);
  } else {
    process.exitCode = 1;
    console.error(`conformance: ${name} should have ${should.word}, but ended with status ${status}:\n${output}`);
  }
}

const pass = { word: 'passed', status: 0, say: /Passed: ([1-9]\d*)\/\1, 0 failed/ };
const fail = { word: 'failed because the tool is missing', status: 1, say: /Passed: 0\/1, 1 failed[^]*unknown tool "test_error_handling"/ };

// The scenario tools-call-error calls the tool test_error_handling without arguments, which
// a server must have for the suite. The proxy calls get_customer instead and changes
// nothing else, so that the suite checks the server's real response to a call with a
// missing argument.
async function startProxy(target, tool) {
  const proxy = createServer(async (incoming, answer) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    body = body.replace('"name":"test_error_handling"', `"name":"${tool}"`);
    const { host, 'content-length': _, ...headers } = incoming.headers;
    const outgoing = request(target, { method: incoming.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode, reply.headers);
      reply.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy()); // if the client disconnects, its stream must not stay open
    outgoing.end(body);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${proxy.address().port}${target.pathname}`),
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

const server = await startHTTP();
const failing = await startProxy(server.url, 'get_customer');
await scenario('tools-call-error', failing.url, pass);
failing.stop();
await scenario('tools-call-error', server.url, fail); // the scenario can fail
for (const name of ['server-initialize', 'tools-list', 'dns-rebinding-protection']) await scenario(name, server.url, pass);
await server.stop();
