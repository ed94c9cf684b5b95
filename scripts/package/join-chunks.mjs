// Joins the pieces that esbuild makes of the modules: it cuts one wherever the code that loads later shares something, some hundred
// for whoever imports the main entry, and looking for a file costs as much as reading 20 KB of it. Afterwards there is one for
// every set of entry points that needs it, and one for each module that loads later.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { entryPoints } from '../entry-points.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const NAMES = /^exports\//;
const STATIC_IMPORT = /^(?:import|export)\s*(?:[^'"();]*?from\s*)?["'](\.[^"']+)["']/gm;

/** Entry points with code; the others are lists of names (tsup.config.ts). */
const entries = [
  'everything',
  ...entryPoints().flatMap(({ path }) => (NAMES.test(path) ? [] : [path])),
  'cli/main',
].map((path) => ({ path, file: join(dist, `${path}.js`) }));

const own = new Set(entries.map(({ file }) => file));
const users = usersOf(entries.map(({ file }) => file));
const before = readdirSync(dist).filter((name) => name.endsWith('.js'));
const bundle = await rollup({
  input: Object.fromEntries(entries.map(({ path, file }) => [path, file])),
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  treeshake: false,
  preserveEntrySignatures: 'strict',
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  },
});
for (const name of before) rmSync(join(dist, name));
await bundle.write({
  dir: dist,
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk-[hash].js',
  hoistTransitiveImports: false,
  // An entry point stays by itself: the program waits while it is loaded, and what loads later must not wait for it.
  manualChunks: (file) => (own.has(file) ? undefined : users.get(file)),
});

/** For each file that an entry point needs at once: which of them do. */
function usersOf(files) {
  const found = new Map();
  const imports = new Map();
  const importsOf = (file) => {
    const known = imports.get(file);
    if (known) return known;
    const paths = Array.from(readFileSync(file, 'utf8').matchAll(STATIC_IMPORT), ([, path]) =>
      resolve(dirname(file), path),
    );
    imports.set(file, paths);
    return paths;
  };
  for (const [i, entry] of files.entries()) {
    const todo = [entry];
    const seen = new Set(todo);
    for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
      found.set(file, `${found.get(file) ?? 'for'}-${i}`);
      for (const path of importsOf(file)) {
        if (seen.has(path)) continue;
        seen.add(path);
        todo.push(path);
      }
    }
  }
  return found;
}
