// Joins the chunks that esbuild makes. It cuts one for every set of entry points and later imports that share a module, and looking for a
// file costs as much as reading 20 KB of it. What the main entry point reads at once becomes one chunk; small chunks are merged.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { entryPoints } from '../entry-points.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
/** Characters that are read in the time in which one file is found. */
const FILE = 20_000;
/** Entry points with code; the others are lists of names (tsup.config.ts). */
const entries = [
  'everything',
  ...entryPoints().flatMap(({ path }) => (path.startsWith('exports/') ? [] : [path])),
  'cli/main',
];
const fileOf = (path) => join(dist, `${path}.js`);

const before = readdirSync(dist).filter((name) => name.endsWith('.js'));
const bundle = await rollup({
  input: Object.fromEntries(entries.map((path) => [path, fileOf(path)])),
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  treeshake: false,
  preserveEntrySignatures: 'strict',
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  },
});
for (const name of before) rmSync(join(dist, name));
let chunkOf;
await bundle.write({
  dir: dist,
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk-[hash].js',
  hoistTransitiveImports: false,
  experimentalMinChunkSize: FILE,
  manualChunks(file, { getModuleInfo }) {
    chunkOf ??= assignChunks((id) => getModuleInfo(id)?.importedIds ?? []);
    return chunkOf.get(file);
  },
});

/** Assigns what the main entry point reads at once to one chunk, and to another what the expressions, which are used alone too, share with it. */
function assignChunks(importedBy) {
  const closure = (paths) => {
    const read = new Set(paths.map(fileOf));
    for (const file of read) for (const imported of importedBy(file)) if (imported.startsWith(dist)) read.add(imported);
    return read;
  };
  const expressions = closure(['cel/index']);
  const own = new Set(entries.map(fileOf));
  const chunks = new Map();
  for (const file of closure(['index', 'everything']))
    if (!own.has(file)) chunks.set(file, expressions.has(file) ? 'shared' : 'main');
  return chunks;
}
