#!/usr/bin/env node
// Runs the program from a checkout. It is bundled first when its bundle is missing or older than the sources: only the program,
// in about a second; the whole package is built by `npm run build`.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'node_modules/.cache/orch-apiserver/main.mjs');
const inputs = ['src', 'package.json', 'package-lock.json', 'scripts/start.mjs'];

/** When a file, or the newest file of a folder, was changed; 0 when there is none. */
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
  // In one step: another start may read it meanwhile.
  const draft = `${program}.${process.pid}`;
  writeFileSync(draft, outputFiles[0].contents);
  renameSync(draft, program);
}

if (inputs.some((name) => changedAt(join(root, name)) > changedAt(program))) await bundle();
// What was compiled is kept for the next start, where Node can (22 and later).
module.enableCompileCache?.(join(dirname(program), 'compiled'));
// In this process, which gets the signals.
await import(pathToFileURL(program).href);
