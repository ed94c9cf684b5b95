// Joins the chunks that esbuild creates, one for every set of entry points and late imports that share a module, because finding a file
// takes as long as reading 20 KB of it. The code that the main entry point loads at once becomes one chunk; small chunks are merged.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { entryPoints } from '../entry-points.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
/** The number of characters that can be read in the time in which one file is found. */
const FILE = 20_000;
/** Entry points with code; the others only list names (tsup.config.ts). */
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
    chunkOf ??= assignChunks(getModuleInfo);
    return chunkOf.get(file);
  },
});

/**
 * Assigns the modules that the main entry point loads at once to two chunks: `shared` has those that late imports and the expressions load,
 * too, and `main` has the others. Bundlers keep the whole of a chunk that a late import loads, so the kinds must be in `main`. The modules
 * that only the other entry points load at once are a third chunk, `others`. What `testing` and `testing/servers` share is a fourth.
 */
function assignChunks(getModuleInfo) {
  const closure = (files, imports) => {
    const read = new Set(files);
    for (const file of read)
      for (const imported of imports(getModuleInfo(file))) if (imported.startsWith(dist)) read.add(imported);
    return read;
  };
  const atOnce = ({ importedIds }) => importedIds;
  const entry = ['index', 'everything'].map(fileOf);
  const later = [
    ...closure(entry, ({ importedIds, dynamicallyImportedIds }) => [...importedIds, ...dynamicallyImportedIds]),
  ]
    .flatMap((file) => getModuleInfo(file).dynamicallyImportedIds)
    .filter((file) => file.startsWith(dist));
  const shared = closure([...later, fileOf('cel/index')], atOnce);
  const own = new Set(entries.map(fileOf));
  const chunks = new Map();
  for (const file of closure([fileOf('index')], atOnce))
    if (!own.has(file)) chunks.set(file, shared.has(file) ? 'shared' : 'main');
  for (const file of closure(entry, atOnce)) if (!own.has(file) && !chunks.has(file)) chunks.set(file, 'others');
  // Rollup would merge them with the servers of tests, whose late imports of Node's modules no bundler for browsers resolves.
  const servers = closure([fileOf('testing/servers')], atOnce);
  for (const file of closure([fileOf('testing/index')], atOnce))
    if (!own.has(file) && !chunks.has(file) && servers.has(file)) chunks.set(file, 'testing');
  // Each has its own chunk, because rollup would merge small ones with those of the program, which loads everything.
  for (const [i, file] of later.entries()) if (!own.has(file) && !chunks.has(file)) chunks.set(file, `later-${i}`);
  return chunks;
}
