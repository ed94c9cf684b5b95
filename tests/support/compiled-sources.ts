import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = resolve(import.meta.dirname, '../..');
const sources = join(root, 'src');
const compiled = join(root, '.compiled');

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

/** Writes only files that have changed, each atomically, so that several runs can share the folder. */
async function compile(): Promise<void> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.d)\.ts$/.test(file),
  );
  const { outputFiles } = await build({
    entryPoints: files.map((file) => join(sources, file)),
    outbase: sources,
    outdir: compiled,
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
  });
  const kept = new Set(outputFiles.map(({ path }) => path));
  if (existsSync(compiled))
    for (const entry of readdirSync(compiled, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && path.endsWith('.js') && !kept.has(path)) rmSync(path, { force: true });
    }
  for (const { path, text } of outputFiles) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
}
