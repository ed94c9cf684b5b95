import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalJson } from '../../src/json/equal.js';
import { isOneOf } from '../../src/schema/constraints/check.js';

/** Whether a number becomes an allowed value when upstream converts it to the type of that value. */
const converts = (value: unknown, allowed: unknown): boolean => {
  if (typeof value !== 'number') return false;
  if (typeof allowed === 'number') return !Number.isInteger(value) && Math.trunc(value) === allowed + 0;
  return (
    typeof allowed === 'string' &&
    Number.isInteger(value) &&
    allowed.codePointAt(0) === value &&
    [...allowed].length === 1
  );
};

it('an enumeration allows values that equal one of its members, and numbers that upstream converts to one', () => {
  const value = fc.oneof(fc.constantFrom(0, -0, 1, 1.5, 49, '1', true, null, 'a'), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(fc.array(value), value, (allowed, other) => {
      for (const each of [...allowed, other])
        expect(isOneOf(allowed, each)).toBe(allowed.some((one) => equalJson(one, each) || converts(each, one)));
    }),
  );
});

it('a scalar is found without iterating over the allowed values', () => {
  let reads = 0;
  const allowed = new Proxy([...Array(1000).keys()], {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key);
    },
  });
  isOneOf(allowed, 1);
  const first = reads;
  for (let i = 0; i < 100; i++) expect(isOneOf(allowed, i)).toBe(true);
  expect(reads).toBe(first);
});
