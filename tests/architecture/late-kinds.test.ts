import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryPoints } from '../../scripts/entry-points.mjs';
import { loadKinds } from '../../src/registry/built-in-kind.js';
import { builtinResources } from '../../src/resources/index.js';
import { sourceRoot } from '../support/source-files.js';

/** Imports of values: what is read with the module. */
const VALUE_IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'"();]*?\sfrom\s)?['"](\.[^'"]+)['"]/gm;
const LATE_IMPORT = /import\('(\.[^']+)'\)/g;

const textOf = (file: string) => readFileSync(join(sourceRoot, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
const found = (file: string, pattern: RegExp) =>
  Array.from(textOf(file).matchAll(pattern), ([, name = '']) =>
    relative(sourceRoot, resolve(sourceRoot, dirname(file), name.replace(/\.js$/, '.ts'))),
  );

function readWith(entry: string): readonly string[] {
  const seen = new Set([entry]);
  for (const file of seen) if (file.endsWith('.ts')) for (const each of found(file, VALUE_IMPORT)) seen.add(each);
  return [...seen];
}

describe('what built-in kinds do', () => {
  it.each(['index.ts', 'exports/kinds.ts', ...entryPoints().map(({ path }) => `${path}.ts`)])(
    'is not read with %s',
    (entry) => {
      const kinds = readWith(entry).filter((file) => file.startsWith('resources/'));
      expect(kinds.filter((file) => /\bdefineRules\(/.test(textOf(file)))).toEqual([]);
      // Nor what rules are made of: schemas.
      const schemas = kinds.filter((file) => found(file, VALUE_IMPORT).includes('schema/authoring.ts'));
      expect(schemas.filter((file) => !file.startsWith('resources/fragments/'))).toEqual([]);
    },
  );

  it('agrees with their names, and leaves nothing to load', async () => {
    const late = builtinResources.filter((kind) => kind.late);
    expect(late.length).toBe(builtinResources.length);
    await loadKinds(builtinResources);
    for (const kind of builtinResources) {
      expect(kind.late).toBeUndefined();
      expect(Object.isFrozen(kind)).toBe(true);
      const members = Object.values(Object.getOwnPropertyDescriptors(kind));
      expect(members.filter(({ get }) => get)).toEqual([]);
    }
  });

  it('is one module, or more, that the index of the group names', () => {
    const named = [...new Set(builtinResources.map(({ groupStem = '' }) => groupStem.split('.')[0] || 'core'))];
    for (const group of named) {
      const folder = group === 'internal' ? 'apiserverinternal' : group;
      expect(found(`resources/${folder}/index.ts`, LATE_IMPORT).length).toBeGreaterThan(0);
    }
  });
});
