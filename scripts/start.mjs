#!/usr/bin/env node
// Runs the program from a checkout. If its bundle is missing or older than the sources, it is bundled first: only the program, in about a
// second. `npm run build` builds the whole package.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'node_modules/.cache/orch-apiserver/main.mjs');
const inputs = ['src', 'package.json', 'package-lock.json', 'scripts/start.mjs'];

/** Returns when a file, or the newest file of a folder, was changed; 0 if it does not exist. */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, changedAt(join(path, name))), found.mtimeMs);
}

async function bundle() {
  const { build } = await import('esbuild');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: Object.keys(dependencies),
    write: false,
  });
  mkdirSync(dirname(program), { recursive: true });
  // An atomic rename, because another start may read the file at the same time.
  const draft = `${program}.${process.pid}`;
  writeFileSync(draft, outputFiles[0].contents);
  renameSync(draft, program);
}

if (inputs.some((name) => changedAt(join(root, name)) > changedAt(program))) await bundle();
// The compiled code is cached for the next start, if Node supports it (22 and newer).
module.enableCompileCache?.(join(dirname(program), 'compiled'));
// The program runs in this process, so that it receives the signals.
await import(pathToFileURL(program).href);
