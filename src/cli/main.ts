#!/usr/bin/env node
import { run } from './run.js';

const controller = new AbortController();
for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(name, () => {
    // The second signal does not wait for anybody.
    if (controller.signal.aborted) process.exit(code);
    controller.abort();
  });
}

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
});
// Not at once: what was written must leave. Timers of the server must not keep the process.
process.exitCode = code;
setTimeout(() => process.exit(code), 500).unref();
