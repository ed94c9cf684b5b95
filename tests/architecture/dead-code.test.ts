import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryPoints } from '../../scripts/entry-points.mjs';
import { Reachable, readModules } from './reachable.js';

const root = resolve(import.meta.dirname, '../../src');
/** Modules that no entry point imports: the one from which the build generates code, and the program. */
const LISTS = 'everything.ts';
const PROGRAM = 'cli/main.ts';

/** Declarations that may exist although nothing reaches them, with the reason for each. */
const KEPT: Readonly<Record<string, string>> = {
  'schema/authoring.ts: double': 'kinds are being written with it',
  'schema/authoring.ts: any': 'as double',
  'schema/object-meta-schema.ts: listKind': 'as double',
};

describe('the code', () => {
  const modules = new Map([...readModules(root)].filter(([file]) => file !== LISTS));
  const reachable = new Reachable(modules, [...entryPoints().map(({ path }) => `${path}.ts`), PROGRAM]);

  it('is all reachable from an entry point; tests do not count', () => {
    expect(reachable.unreached().filter((id) => !(id in KEPT))).toEqual([]);
  });

  it('exports no function or constant that only its own file uses, unless a test imports it', () => {
    const tests = textsBelow(resolve(root, '../tests'));
    const isTested = (id: string) => tests.some((text) => text.includes(id.split(': ')[1] ?? ''));
    expect(reachable.needless().filter((id) => !isTested(id) && !(id in KEPT))).toEqual([]);
  });
});

describe('reachability', () => {
  const from = (texts: Record<string, string>) => new Reachable(new Map(Object.entries(texts)), ['index.ts']);

  it('follows declarations, not files', () => {
    const found = from({
      'index.ts': "export { used } from './a.js';",
      'a.ts': "import { b, c } from './b.js';\nexport const used = () => b;\nexport const unused = () => c;",
      'b.ts': 'export const b = 1;\nexport const c = 2;',
    });
    expect(found.unreached()).toEqual(['a.ts: unused', 'b.ts: c']);
  });

  it('follows dynamic imports, lists of names, types, and code that runs when a file is loaded', () => {
    const found = from({
      'index.ts': "import { start } from './a.js';\nexport * from './c.js';\nstart();",
      'a.ts': "export const start = () => import('./b.js');",
      'b.ts': "import type { T } from './types.js';\nexport function b(t: T) { return t.unused; }",
      'c.ts': 'export const c = 1;\nconst own = 2;\nexport const unused = { own };',
      'types.ts': 'export interface T { unused: 1 }\nexport type U = T;',
    });
    expect(found.unreached()).toEqual(['types.ts: U']);
  });

  it('does not take a member for a declaration of the same name', () => {
    const found = from({
      'index.ts': "export { a } from './a.js';",
      'a.ts': 'export const a = (x: { b: 1 }) => [x.b, { b: 2 }];\nexport const b = 3;',
    });
    expect(found.unreached()).toEqual(['a.ts: b']);
    expect(found.needless()).toEqual(['a.ts: b']);
  });
});

const textsBelow = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
