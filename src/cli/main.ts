#!/usr/bin/env node

// Other modules cannot be loaded by older releases of Node.js, so they are imported after this check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Error: orch-apiserver needs Node.js 20.19 or newer, and this is ${process.version}`);
  process.exit(1);
}
const { run } = await import('./run.js');

const controller = new AbortController();
for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(name, () => {
    // The second signal ends the program without a graceful shutdown.
    if (controller.signal.aborted) process.exit(code);
    controller.abort();
  });
}

// Without listeners, a full disk or a closed pipe would end a server whose other parts work.
let lost: Error | undefined;
process.stdout.on('error', (error) => (lost ??= error));
process.stderr.on('error', () => {});

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  flush: async () => {
    // The error of a write is reported after the callbacks of the writes behind it.
    await new Promise((resolve) => process.stdout.write('', () => setImmediate(resolve)));
    if (lost) throw lost;
  },
  signal: controller.signal,
});
// The program does not exit at once, so that its output can be flushed. The timer ends the program even if timers of the server are still
// active.
process.exitCode = code;
setTimeout(() => process.exit(code), 500).unref();

// Only a module may contain `await` at its top level.
export {};
