#!/usr/bin/env node
import { run } from './run.js';

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

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
});
// The program does not exit at once, so that its output can be flushed. The timer ends the program even if timers of the server are still
// active.
process.exitCode = code;
setTimeout(() => process.exit(code), 500).unref();
