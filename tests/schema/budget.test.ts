import { describe, expect, it } from 'vitest';
import { loadPatternProblems } from '../../src/schema/constraints/patterns.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { prepareSchema, validateStructural } from '../../src/schema/structural.js';

const list = (n: number, make: (i: number) => unknown) => Array.from({ length: n }, (_, i) => make(i));
const LARGE = 'é'.repeat(500_000);
const TOO_LARGE = 'the object is too large for its schema: it takes more than 2000000 checks';

/** Returns the errors of a list with many items, all of which these keywords check. */
async function problems(items: object, value: unknown, count = 100_000) {
  const schema = openApiToSchema({ type: 'array', items });
  await prepareSchema(schema);
  return validateStructural(
    schema,
    list(count, () => value),
    'spec',
  ).map(({ type, detail }) => `${type}: ${detail}`);
}

describe('validation of a large object with a large schema', () => {
  it.each<[string, object, unknown]>([
    ['allOf', { type: 'integer', allOf: list(10_000, () => ({ minimum: 0 })) }, 1],
    ['anyOf', { type: 'integer', anyOf: list(10_000, (i) => ({ maximum: -1 - i })).concat([{ minimum: 0 }]) }, 1],
    ['oneOf', { type: 'integer', oneOf: list(10_000, (i) => ({ maximum: -1 - i })).concat([{ minimum: 0 }]) }, 1],
    ['not', { type: 'integer', allOf: list(10_000, () => ({ not: { minimum: 9 } })) }, 1],
    ['enumerations in branches', { type: 'integer', anyOf: [{ enum: list(40_000, (i) => i) }, {}] }, -1],
    ['required members', { type: 'object', not: { allOf: [{ required: list(10_000, (i) => `m${i}`) }] } }, {}],
    ['a pattern', { type: 'string', pattern: '^[a-d]*(x{400})?' }, 'a'.repeat(100)],
  ])('stops after few steps: %s', async (_, items, value) => {
    expect(await problems(items, value)).toEqual([`Forbidden: ${TOO_LARGE}`]);
  });
  it.each<[string, object, unknown]>([
    [
      'a large object that no branch allows',
      { type: 'object', properties: { a: { type: 'string' } }, anyOf: list(5_000, () => ({ enum: [{}] })) },
      { a: 'x'.repeat(1_000_000) },
    ],
    [
      'a small value, and branches that list a large one',
      { type: 'string', anyOf: list(5_000, () => ({ enum: [LARGE] })) },
      'b',
    ],
    ['a long string', { type: 'string', anyOf: list(5_000, () => ({ maxLength: 1 })) }, LARGE],
  ])('charges the size of values that branches format or count: %s', async (_, items, value) => {
    expect(await problems(items, value, 1)).toEqual([`Forbidden: ${TOO_LARGE}`]);
  });
  it.each<[string, object, unknown]>([
    ['an enumeration of scalars', { type: 'integer', enum: list(40_000, (i) => i) }, 39_999],
    [
      'an enumeration of objects',
      { type: 'object', enum: list(10_000, (i) => ({ a: { b: i, c: [i] } })) },
      { a: { c: [9], b: 9 } },
    ],
  ])('takes few steps if the value is found at once: %s', async (_, items, value) => {
    expect(await problems(items, value)).toEqual([]);
  });
  it('has a budget for each object', async () => {
    const schema = openApiToSchema({
      type: 'array',
      items: { type: 'integer', allOf: list(10, () => ({ minimum: 0 })) },
    });
    const value = list(100_000, () => 1);
    for (const time of [1, 2, 3]) expect([time, ...validateStructural(schema, value, 'spec')]).toEqual([time]);
  });
});

describe('the regular expressions of a definition', () => {
  it('have at most 100,000 steps together, and each expression counts once', async () => {
    const problemOf = await loadPatternProblems();
    const pattern = (i: number) => `x${i}(a|b){1000}`;
    let good = 0;
    while (good < 1000 && problemOf(pattern(good)) === undefined) good++;
    expect(good).toBeGreaterThan(10);
    expect(good).toBeLessThan(100);
    expect(problemOf(pattern(good))).toBe('the patterns of a definition must not have more than 100000 steps together');
    expect(problemOf(pattern(0))).toBeUndefined();
    expect((await loadPatternProblems())(pattern(good))).toBeUndefined();
  });
});
