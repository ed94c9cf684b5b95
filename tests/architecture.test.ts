import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The floors of the house (docs/architecture.md): a folder imports only from lower ones. */
const FLOORS: Readonly<Record<string, number>> = {
  meta: 0,
  schema: 1,
  store: 1,
  pki: 1,
  // Between two floors: keys of tokens come as PEM, and authenticators read tokens.
  tokens: 1.5,
  fields: 2,
  serialization: 2,
  authentication: 2,
  authorization: 2,
  cel: 2,
  patch: 3,
  admission: 3,
  registry: 4,
  resources: 5,
  requests: 5,
  client: 6,
  controllers: 7,
  'api-server.ts': 8,
  'api-server-options.ts': 8,
  'version.ts': 0,
  kubeconfig: 8,
  http: 9,
  testing: 9,
  cli: 10,
  'index.ts': 11,
};

/** Which folder may use which package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  schema: ['zod', 're2js'],
  store: ['sorted-btree'],
  cel: ['re2js'],
  tokens: ['jose'],
  serialization: ['yaml'],
  kubeconfig: ['yaml'],
  registry: ['immer'],
  'api-server.ts': ['eventemitter3'],
  testing: ['vitest', 'fast-check'],
};
const MAX_LINES = 400;
const NODE_FLOOR = 9;

const root = resolve(import.meta.dirname, '../src');
const files = (readdirSync(root, { recursive: true }) as string[])
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));
const roomOf = (file: string) => file.split('/')[0] ?? '';
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}
function localImports(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.') && !name.endsWith('.json'))
    .map((name) => relative(root, resolve(root, dirname(file), name.replace(/\.js$/, '.ts'))).replaceAll('\\', '/'));
}

describe('the house', () => {
  it('has only known rooms', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in FLOORS))).toEqual([]);
  });

  it('imports downwards only, and never between rooms of one floor', () => {
    const wrong = files.flatMap((file) =>
      localImports(file)
        .filter(
          (target) => roomOf(target) !== roomOf(file) && (FLOORS[roomOf(target)] ?? 99) >= (FLOORS[roomOf(file)] ?? -1),
        )
        .filter((target) => !(FLOORS[roomOf(file)] === 8 && /^api-server/.test(target)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycles', () => {
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') return void cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      state.set(file, 'open');
      for (const target of valueImports(file)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    expect(files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1 > MAX_LINES)).toEqual(
      [],
    );
  });

  it('leaves Node to the outer floors', () => {
    const wrong = files.filter(
      (file) => (FLOORS[roomOf(file)] ?? 0) < NODE_FLOOR && importsOf(file).some((name) => name.startsWith('node:')),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps each package to its rooms', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !(PACKAGES[roomOf(file)] ?? []).includes(name))
        .map((name) => `${file} -> ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no folder that could hold anything', () => {
    const folders = (readdirSync(root, { recursive: true }) as string[]).filter((file) =>
      statSync(join(root, file)).isDirectory(),
    );
    expect(folders.filter((folder) => /(^|\/)(util|utils|common|core|lib|types|helpers)$/.test(folder))).toEqual([]);
  });
});

/** Imports that exist at run time: types alone make no cycle. */
function valueImports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/(?:^|\n)import type [^;]+;/g, '\n');
  return [...text.matchAll(IMPORT)]
    .filter((match) => match[1] !== undefined)
    .map((match) => match[1] ?? '')
    .filter((name) => name.startsWith('.') && !name.endsWith('.json'))
    .map((name) => relative(root, resolve(root, dirname(file), name.replace(/\.js$/, '.ts'))).replaceAll('\\', '/'));
}
