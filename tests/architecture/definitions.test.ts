import { describe, expect, it } from 'vitest';
import * as kinds from '../../src/exports/kinds.js';

const definitions = Object.entries(kinds).filter(
  (entry): entry is [string, (typeof kinds.builtinResources)[number]] => 'plural' in entry[1],
);

describe('an exported definition of a kind', () => {
  it('is exported for each built-in kind', () => {
    expect(new Set(definitions.map(([, definition]) => definition))).toEqual(new Set(kinds.builtinResources));
  });

  it.each(definitions)('%s is an ordinary frozen object', (_, definition) => {
    expect(Object.getPrototypeOf(definition)).toBe(Object.prototype);
    expect(Object.isFrozen(definition)).toBe(true);
    expect({ ...definition }).toEqual(definition);
    expect(Object.entries(definition).length).toBeGreaterThan(5);
    expect(JSON.parse(JSON.stringify(definition))).toMatchObject({ kind: definition.kind, plural: definition.plural });
    expect(definition.schema.properties.has('kind')).toBe(true);
  });

  it('can be changed by mapping the list', () => {
    const renamed = kinds.builtinResources.map((definition) => ({ ...definition, shortNames: ['x'] }));
    expect(renamed.map(({ kind }) => kind)).toEqual(kinds.builtinResources.map(({ kind }) => kind));
  });
});
