// Joins the pieces that esbuild makes of the modules: it cuts one wherever the code that loads later shares something, some hundred
// for whoever imports the main entry, and looking for a file costs as much as reading 20 KB of it. First there is one for every set
// of entry points that needs it, and one for each module that loads later; of the sets those are joined whose files cost their
// users more than what some of them read in vain. The same is then done for what loads later, each import of which is such an entry.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { entryPoints } from '../entry-points.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const NAMES = /^exports\//;
/** Characters that are read in the time in which one file is found. */
const FILE = 20_000;
/** What this entry point reads in vain counts so many times: it is used without a server, and is to load in 15 ms. */
const WEIGHTS = { 'cel/index': 8 };
/** Entry points whose users have read another one as well: what both need is that one's. */
const BUILT_ON = { 'cel/rules': 'cel/index' };
/** The build writes names of Node's modules without `node:`. */
const NODE_IMPORT = new RegExp(
  `^import\\s*(?:[^'"();]*?from\\s*)?["'](?:node:)?(?:${builtinModules.join('|')})["']`,
  'm',
);
const LATE_IMPORT = /\bimport\(\s*["'](\.[^"']+)["']\s*\)/g;
/** Modules of the kinds that every start uses, and what every server loads when it is first asked. */
const STARTING = /^(?:namespace|config-map|service-account|priority-class)-/;
const ANSWERING = /^(?:serve|resource-verbs)-/;
const STATIC_IMPORT = /^(?:import|export)\s*(?:[^'"();]*?from\s*)?["'](\.[^"']+)["']/gm;
const NAMED_IMPORT = /^import\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["']/gm;
const EXPORTED = /^export\s*\{([^}]*)\}/gm;

/** Entry points with code; the others are lists of names (tsup.config.ts). */
const entries = [
  'everything',
  ...entryPoints().flatMap(({ path }) => (NAMES.test(path) ? [] : [path])),
  'cli/main',
].map((path) => ({ path, file: join(dist, `${path}.js`) }));

const own = new Set(entries.map(({ file }) => file));
/** Stays by itself: it waits while it runs, and what loads later must not wait for it. */
const program = join(dist, 'cli/main.js');
const imports = new Map();
const atOnce = usersAtOnce();
const pieces = joined(atOnce, 'for');
for (const [file, name] of joined(usersOfLate(), 'late')) pieces.set(file, name);
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
  manualChunks: (file) => pieces.get(file),
});

/**
 * For each file that entry points read at once: which of them do. Numbers beyond those of the entry points: the start of a server, and its
 * first answers, where they need such a file, so that they do not read all that other entry points need beside it.
 */
function usersAtOnce() {
  const main = join(dist, 'index.js');
  const found = usersOf([
    ...entries.map(({ file }) => [file]),
    [main, ...lateModules(STARTING)],
    [main, ...lateModules(ANSWERING)],
  ]);
  for (const [path, other] of Object.entries(BUILT_ON)) {
    const [user, base] = [path, other].map((each) => entries.findIndex((entry) => entry.path === each));
    for (const users of found.values()) if (users.has(base)) users.delete(user);
  }
  return new Map([...found].filter(([, users]) => [...users].some((user) => user < entries.length)));
}

/** The modules that load later and have such a name. */
function lateModules(name) {
  return readdirSync(dist)
    .filter((file) => file.endsWith('.js') && name.test(file))
    .map((file) => join(dist, file));
}

/** For each file that users need at once: which of them do. @param all the files that each names */
function usersOf(all) {
  const found = new Map();
  for (const [i, files] of all.entries()) {
    const todo = [...files];
    const seen = new Set(todo);
    for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
      found.set(file, (found.get(file) ?? new Set()).add(i));
      for (const path of importsOf(file)) {
        if (seen.has(path)) continue;
        seen.add(path);
        todo.push(path);
      }
    }
  }
  return found;
}

/** For each file that is not read with an entry point: the imports that need it, as numbers. */
function usersOfLate() {
  const late = builtFiles().flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(LATE_IMPORT);
    return Array.from(found, ([, path]) => resolve(dirname(file), path));
  });
  const targets = [...new Set(late)].filter((file) => !atOnce.has(file)).sort();
  const users = usersOf([...targets.map((file) => [file]), lateModules(STARTING), lateModules(ANSWERING)]);
  return new Map([...users].filter(([file]) => !atOnce.has(file)));
}

/** All files with code that the build has written. */
function builtFiles() {
  const names = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js') && !NAMES.test(name));
  return names.map((name) => join(dist, name));
}

function importsOf(file) {
  const known = imports.get(file);
  if (known) return known;
  const found = readFileSync(file, 'utf8').matchAll(STATIC_IMPORT);
  const paths = Array.from(found, ([, path]) => resolve(dirname(file), path));
  imports.set(file, paths);
  return paths;
}

/** Whether a file, or what it needs at once, names a module of Node's. */
function needsNode(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  return NODE_IMPORT.test(readFileSync(file, 'utf8')) || importsOf(file).some((path) => needsNode(path, seen));
}

/** The name of its piece for each file: begins with one piece for each set of users and joins two while that saves something. */
function joined(users, prefix) {
  const bySet = new Map();
  for (const [file, set] of users) {
    if (own.has(file)) continue;
    const ofNode = needsNode(file);
    const name = `${prefix}-${[...set].join('-')}${ofNode ? '-node' : ''}`;
    const piece = bySet.get(name) ?? { name, users: set, files: [], size: 0, ofNode, prefix };
    piece.files.push(file);
    piece.size += readFileSync(file).length;
    bySet.set(name, piece);
  }
  let all = [...bySet.values()];
  for (;;) {
    const pairs = all.flatMap((one, i) => all.slice(i + 1).map((other) => ({ one, other, gain: gainOf(one, other) })));
    const worthwhile = pairs.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
    const next = worthwhile.map(({ one, other }) => afterJoining(all, one, other)).find((after) => !isCircular(after));
    if (next === undefined) return prefix === 'for' ? namesOf(all) : new Map(all.flatMap(namedFiles));
    all = next;
  }
}

function namedFiles({ name, files }) {
  return files.map((file) => [file, name]);
}

/**
 * What only one entry point needs at once is one file with it. But a file that exports more than its entry point does would be two:
 * what loads later and takes such names takes them from the piece that most entry points read, this one among them.
 */
function namesOf(all) {
  const names = new Map(all.flatMap(namedFiles));
  for (const { name, files, users } of all) {
    const index = [...users][0];
    const entry = entries[index].file;
    if (users.size > 1 || entry === program) continue;
    names.set(entry, name);
    const shared = all.filter((piece) => piece.users.has(index) && piece.users.size > 1 && !piece.ofNode);
    const [{ name: common } = {}] = shared.sort((a, b) => b.users.size - a.users.size);
    if (common === undefined) continue;
    const inside = new Set([...files, entry]);
    for (const file of files) {
      if (importsOf(file).length === 0 && takesMore(file, entry, inside)) names.set(file, common);
    }
  }
  return names;
}

/** Whether anything outside takes a name from the file that the entry point does not export. */
function takesMore(target, entry, inside) {
  const exported = new Set(
    Array.from(readFileSync(entry, 'utf8').matchAll(EXPORTED), ([, list]) => namesIn(list)).flat(),
  );
  return builtFiles().some((file) => {
    if (inside.has(file)) return false;
    const found = readFileSync(file, 'utf8').matchAll(NAMED_IMPORT);
    return Array.from(found).some(
      ([, list, path]) => resolve(dirname(file), path) === target && namesIn(list).some((name) => !exported.has(name)),
    );
  });
}

/** The names that a list of imports or exports speaks of, as the other file knows them. */
function namesIn(list) {
  return list.split(',').flatMap((each) => each.trim().split(' as ')[0] || []);
}

/** Characters: a file less for who needs both, the other one in vain for who needs one. */
function gainOf(one, other) {
  // What browsers read, at once or later, must not name Node's modules.
  if (one.ofNode !== other.ofNode) return 0;
  let gain = 0;
  for (const user of one.users) gain += weightOf(one, user) * (other.users.has(user) ? FILE : -other.size);
  for (const user of other.users) if (!one.users.has(user)) gain -= weightOf(one, user) * one.size;
  return gain;
}

/** Users of what loads with an entry point are entry points; those of what loads later are imports. */
function weightOf({ prefix }, user) {
  return (prefix === 'for' ? WEIGHTS[entries[user]?.path] : undefined) ?? 1;
}

function afterJoining(all, one, other) {
  const users = new Set([...one.users, ...other.users]);
  const piece = { ...one, users, files: [...one.files, ...other.files], size: one.size + other.size };
  return [...all.filter((each) => each !== one && each !== other), piece];
}

/** Whether pieces wait for each other. */
function isCircular(all) {
  const pieceOf = new Map(all.flatMap((piece) => piece.files.map((file) => [file, piece])));
  const state = new Map();
  const visit = (piece) => {
    if (state.has(piece)) return state.get(piece) === 'open';
    state.set(piece, 'open');
    const next = new Set(piece.files.flatMap(importsOf).map((file) => pieceOf.get(file)));
    const circular = [...next].some((each) => each !== undefined && each !== piece && visit(each));
    state.set(piece, 'done');
    return circular;
  };
  return all.some(visit);
}
