import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { dependencies } from '../../../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../../..');

/**
 * Bundles sources under these names, because a program would otherwise load 1,000 files. The folder is created inside the checkout, where
 * Node finds the packages.
 */
export async function bundle(entryPoints: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(root, '.compiled-'));
  await build({
    entryPoints: { ...entryPoints },
    absWorkingDir: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['#re2', ...Object.keys(dependencies)],
    logLevel: 'error',
  });
  return folder;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let scripts = 0;

/**
 * Runs statements as a script of its own, in which `index` is the main entry of the library.
 * @param folder the folder in which `bundle` has put `src/index.ts` as `index`.
 * @param format ECMAScript modules (`mjs`) await at the top level; CommonJS (`cjs`) starts an asynchronous function.
 */
export async function runScript(folder: string, body: string, format: 'mjs' | 'cjs'): Promise<Ended> {
  const file = join(folder, `script-${scripts++}.${format}`);
  const code = `const index = await import('./index.mjs');\n${body}`;
  writeFileSync(file, format === 'mjs' ? code : `(async () => {\n${code}\n})();`);
  return await runProgram([file]);
}

/**
 * Runs Node until it exits.
 * @param onOutput called with all output so far; it may end the program.
 */
export function runProgram(
  argv: readonly string[],
  onOutput: (output: string, end: () => void) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  // The signal is sent only once, because a second one would end the program at once.
  const end = () => child.killed || child.kill('SIGTERM');
  const look = () => onOutput(stdout + stderr, end);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
