import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  sourceFiles as files,
  importsOf,
  laterImports,
  localImports,
  sourceRoot as root,
} from './support/source-files.js';

/** The floors of the architecture (docs/architecture.md). A folder imports only from lower floors. */
const FLOORS: Readonly<Record<string, number>> = {
  values: 0,
  'version.ts': 0,
  json: 1,
  metrics: 1,
  signatures: 1,
  meta: 2,
  selectors: 3,
  schema: 4,
  store: 4,
  pki: 4,
  // Keys of tokens are PEM, and authenticators parse tokens.
  tokens: 5,
  encryption: 5,
  outbound: 6,
  cel: 5,
  fields: 6,
  serialization: 5,
  authentication: 7,
  authorization: 7,
  patch: 7,
  admission: 8,
  audit: 8,
  registry: 9,
  discovery: 10,
  resources: 10,
  openapi: 11,
  plugins: 11,
  aggregation: 11,
  'custom-resources': 11,
  'flow-control': 11,
  requests: 12,
  client: 13,
  controllers: 14,
  'api-server-options.ts': 15,
  kubeconfig: 15,
  server: 16,
  'api-server.ts': 17,
  http: 18,
  testing: 19,
  cli: 20,
  exports: 21,
  'index.ts': 21,
  'everything.ts': 22,
};

/** The folders that may use each package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  metrics: ['prom-client'],
  cel: ['re2js', '#re2'],
  schema: ['zod', 're2js'],
  store: ['sorted-btree', 'classic-level'],
  encryption: ['@noble/ciphers'],
  pki: ['@peculiar/asn1-schema', '@peculiar/asn1-x509', '@peculiar/asn1-csr'],
  tokens: ['jose'],
  serialization: ['yaml'],
  kubeconfig: ['yaml'],
  registry: ['immer'],
  client: ['fast-json-patch'],
  server: ['eventemitter3'],
  testing: ['vitest', 'fast-check'],
};
/** Folders that are named after an API group may have any name. */
const API_GROUPS = new Set(['resources/core']);
const MAX_LINES = 400;
/** A shorter file with a single importer in its own folder is a part of that importer, and a reader would have to open both. */
const MIN_LINES = 40;
/** Lists with one file per entry (docs/architecture.md, "Where something new goes"). Such a file may be short. */
const LISTS = /^(?:resources\/.+\/index|cli\/authentication\/methods)\.ts$/;
/** The fields of a group and version are a separate table, so that the diff of another release is a diff of tables. Formats are a list. */
const TABLES = /^(?:resources\/.+-v\d+(?:(?:alpha|beta)\d+)?|serialization\/formats)\.ts$/;
const NODE_FLOOR = 18;

const roomOf = (file: string) => file.split('/')[0] ?? '';
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;

describe('the source tree', () => {
  it('has only known folders', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in FLOORS))).toEqual([]);
  });

  it('imports only from lower floors, and never between folders of one floor', () => {
    const wrong = files.flatMap((file) =>
      localImports(file)
        .filter(
          (target) => roomOf(target) !== roomOf(file) && (FLOORS[roomOf(target)] ?? 99) >= (FLOORS[roomOf(file)] ?? -1),
        )
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycles, types included', () => {
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') return void cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      state.set(file, 'open');
      for (const target of localImports(file)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it(`has no file over ${MAX_LINES} lines that is written by hand`, () => {
    const written = files.filter((file) => !file.endsWith('.types.ts'));
    expect(written.filter((file) => linesOf(file) > MAX_LINES)).toEqual([]);
  });

  it(`has no file under ${MIN_LINES} lines with a single importer in its own folder, unless it is loaded later`, () => {
    const importers = new Map<string, string[]>();
    for (const file of files)
      for (const target of new Set(localImports(file))) importers.set(target, [...(importers.get(target) ?? []), file]);
    const pieces = files.filter((file) => {
      const [importer = '', ...others] = importers.get(file) ?? [];
      if (importer === '' || others.length > 0 || dirname(importer) !== dirname(file) || linesOf(file) >= MIN_LINES)
        return false;
      return !TABLES.test(file) && !LISTS.test(importer) && !laterImports(importer).includes(file);
    });
    expect(pieces).toEqual([]);
  });

  it('uses Node only in the outer floors', () => {
    const wrong = files.filter(
      (file) => (FLOORS[roomOf(file)] ?? 0) < NODE_FLOOR && importsOf(file).some((name) => name.startsWith('node:')),
    );
    expect(wrong).toEqual([]);
  });

  it('uses each package only in the folders that may use it', () => {
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

  it('has no folder so general that it could contain anything', () => {
    const folders = (readdirSync(root, { recursive: true }) as string[]).filter((file) =>
      statSync(join(root, file)).isDirectory(),
    );
    expect(
      folders.filter(
        (folder) => /(^|\/)(util|utils|common|core|lib|types|helpers)$/.test(folder) && !API_GROUPS.has(folder),
      ),
    ).toEqual([]);
  });

  it('is described floor by floor in docs/architecture.md', () => {
    const text = readFileSync(resolve(root, '../docs/architecture.md'), 'utf8');
    const rows = [...text.matchAll(/^\| (\d+) \| `([^`]+?)\/?` \| [^|]+ \| ([^|]+) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, floor, room = '']) => [room, Number(floor)]))).toEqual(FLOORS);
    const packages = rows
      .map(([, , room, list = '']): [unknown, string[]] => [room, list.trim().split(', ')])
      .filter(([, list]) => !/^(–|node:.*)$/.test(list.join()));
    expect(Object.fromEntries(packages)).toEqual(PACKAGES);
  });

  it('has no folder that docs/architecture.md does not name in the row of its room', () => {
    const text = readFileSync(resolve(root, '../docs/architecture.md'), 'utf8');
    const folders = new Set(files.map(dirname).filter((folder) => folder.includes('/')));
    const unnamed = [...folders].filter((folder) => {
      const [room, first] = folder.split('/');
      // The folders of kinds are named after their API groups.
      if (room === 'resources' && first !== 'shared') return false;
      return !new RegExp(`^\\| \\d+ \\| \`${room}/\` \\| .*\`${first}/\``, 'm').test(text);
    });
    expect(unnamed).toEqual([]);
  });
});
