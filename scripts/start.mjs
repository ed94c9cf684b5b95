#!/usr/bin/env node
// Runs the program from a checkout: builds first when dist is missing or older than the sources. Arguments and signals are passed on.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'dist/cli/main.js');
const inputs = ['src', 'package.json', 'tsconfig.json', 'tsup.config.ts'];

/** When a file, or the newest file of a folder, was changed; 0 when there is none. */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, changedAt(join(path, name))), 0);
}

if (inputs.some((name) => changedAt(join(root, name)) > changedAt(program))) {
  // What the build says belongs on stderr: stdout is the program's.
  const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');
  const { status } = spawnSync(process.execPath, [tsup], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends SIGINT to both programs already; twice would mean at once.
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  console.error(`Error: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
