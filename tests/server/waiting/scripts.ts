import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const compiled = resolve(import.meta.dirname, '../../../.compiled');

/** The address of a source as Node can import it. */
export const sourceUrl = (path: string): string => pathToFileURL(join(compiled, path)).href;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a body of statements as a script of its own, with `index` the library's main entry.
 * @param format with ECMAScript modules the script awaits at its top; in CommonJS it starts an asynchronous function.
 */
export async function runScript(body: string, format: 'mjs' | 'cjs'): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-waiting-'));
  try {
    const file = join(folder, `script.${format}`);
    const code = `const index = await import(${JSON.stringify(sourceUrl('index.js'))});\n${body}`;
    writeFileSync(file, format === 'mjs' ? code : `(async () => {\n${code}\n})();`);
    return await runProgram([file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Node to its end. @param onOutput is called with all that was written so far, and may end the program. */
export function runProgram(
  argv: readonly string[],
  onOutput: (output: string, end: () => void) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  // Once: the second signal ends a program at once.
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
