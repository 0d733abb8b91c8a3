// The server under test: examples/support, built, as a child process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export const support = process.argv[2];
if (!support) {
  console.error(`usage: node ${process.argv[1]} SUPPORT, the built examples/support`);
  process.exit(2);
}

// The child processes exit with this program: 'exit' is emitted for process.exit and
// uncaught errors, but not for signals.
const children = new Set();
export function own(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});

// A program that hangs fails.
setTimeout(() => {
  console.error('gave up after a minute');
  process.exit(1);
}, 60_000).unref();

// startHTTP starts the server with -http on a free port. stop interrupts it, and throws if
// its exit status is not 0.
export async function startHTTP(...flags) {
  const child = own(spawn(support, ['-http', '127.0.0.1:0', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] }));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stderr });
  const [first] = await Promise.race([once(lines, 'line'), exited]);
  const url = /^support: serving (http:\S+)$/.exec(first)?.[1];
  if (!url) throw new Error(`the server did not print its address, but: ${first}`);
  lines.on('line', () => {}); // the log must be read, or the server blocks
  return {
    url: new URL(url),
    async stop() {
      child.kill('SIGINT');
      const [status, signal] = await exited;
      if (status !== 0) throw new Error(`the interrupted server ended with ${signal ?? `status ${status}`}`);
    },
  };
}
