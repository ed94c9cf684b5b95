import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, version } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = resolve(import.meta.dirname, '../..');
const sources = join(root, 'src');
const compiled = join(root, '.compiled');

const OPTIONS = {
  outbase: sources,
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'inline',
  sourcesContent: false,
} as const;

/** Where Vite stores tests that it has transformed. */
export const TRANSFORMED = join(compiled, 'tests');
const WEEK = 7 * 24 * 3_600_000;

/** Matches the files that Node imports unchanged. */
export const COMPILED = /\/\.compiled\//;

/**
 * Returns a plugin that lets tests import what esbuild makes of `src/`, file by file, through Node's own module loader. Through
 * Vite, each of 1,300 sources would cost each process a request, and each use of an import a call. Stack traces and debuggers
 * show the sources.
 * @param except tests that import the sources themselves, in order to replace some of them.
 */
export function compiledSources(except: readonly string[] = []): Plugin {
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    config: async () => {
      await (compiling ??= compile());
    },
    resolveId(source, importer) {
      const named = source.startsWith('file:') ? fileURLToPath(source) : source;
      const path = named.startsWith('.') && importer ? resolve(dirname(importer), named) : named;
      if (!path.startsWith(`${sources}/`)) return undefined;
      // Modules that Vite has transformed itself import sources.
      if (importer?.startsWith(`${sources}/`) || except.includes(relative(root, importer ?? ''))) return undefined;
      const file = join(compiled, relative(sources, path).replace(/\.ts$/, '.js'));
      return existsSync(file) ? file : undefined;
    },
  };
}

let compiling: Promise<void> | undefined;

/**
 * Compiles the sources that have changed. Each compiled file ends with a digest of its source, so the order of several runs that share the
 * folder does not matter, and each file is written atomically.
 */
async function compile(): Promise<void> {
  deleteOldTests();
  const digests = new Map<string, string>();
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
    if (/(?<!\.d)\.ts$/.test(file)) digests.set(file.replace(/ts$/, 'js'), digestOf(join(sources, file)));
  for (const file of existsSync(compiled) ? readdirSync(compiled, { recursive: true, encoding: 'utf8' }) : [])
    if (file.endsWith('.js') && !digests.has(file)) rmSync(join(compiled, file), { force: true });
  const changed = [...digests].filter(([file, digest]) => !isCompiled(join(compiled, file), digest));
  if (changed.length === 0) return;
  const entryPoints = changed.map(([file]) => join(sources, file.replace(/js$/, 'ts')));
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, outdir: compiled, write: false });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, `${text}// ${digests.get(relative(compiled, path))}\n`);
    renameSync(`${path}.${process.pid}`, path);
  }
}

/** Deletes transformed tests of earlier weeks, because each change of a test adds a file. */
function deleteOldTests(): void {
  for (const file of existsSync(TRANSFORMED) ? readdirSync(TRANSFORMED) : []) {
    const path = join(TRANSFORMED, file);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && mtimeMs < Date.now() - WEEK) rmSync(path, { force: true });
  }
}

/** Returns a digest of everything that a compiled file depends on. */
const digestOf = (path: string): string =>
  createHash('sha256')
    .update(JSON.stringify([version, OPTIONS]))
    .update(readFileSync(path))
    .digest('hex');

const isCompiled = (path: string, digest: string): boolean =>
  existsSync(path) && readFileSync(path, 'latin1').endsWith(`// ${digest}\n`);
