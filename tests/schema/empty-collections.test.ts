import { expect, it } from 'vitest';
import { list, map, omitEmpty, required, string, struct, structSchema } from '../../src/schema/authoring.js';
import { withoutEmptyCollections } from '../../src/schema/empty-collections.js';

const part = struct('io.example.v1.Part', 'A part.', () => ({ keys: required(list(string()), 1) }));
const whole = structSchema(
  struct('io.example.v1.Whole', 'A whole.', () => ({
    parts: required(list(part), 1),
    byName: omitEmpty(map(part), 2),
    labels: required(map(string()), 3),
  })),
);

it('sets collections that are always encoded to null if they are empty, at every depth', () => {
  const given = { parts: [{ keys: [] }, { keys: ['a'] }], byName: { x: { keys: [] } }, labels: {} };
  expect(withoutEmptyCollections(whole, given)).toEqual({
    parts: [{ keys: null }, { keys: ['a'] }],
    byName: { x: { keys: null } },
    labels: null,
  });
});

it('shares objects without empty collections', () => {
  const given = { parts: [{ keys: ['a'] }], labels: { a: 'b' } };
  expect(withoutEmptyCollections(whole, given)).toBe(given);
});
