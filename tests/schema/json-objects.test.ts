import { describe, expect, it } from 'vitest';
import { copyJson } from '../../src/schema/json-objects.js';
import { deepFreeze } from '../../src/store/freeze.js';

const circle: Record<string, unknown> = {};
circle['self'] = circle;
const nested = (depth: number) => {
  const root: Record<string, unknown> = {};
  for (let at = root, i = 1; i < depth; i++) at = at['a'] = {};
  return root;
};

describe("a copy of a caller's object", () => {
  const symbol = Symbol('x');
  it.each<[string, unknown]>([
    ['members without a value', { a: undefined, b: () => 1, c: symbol, [symbol]: 1, d: 1 }],
    // biome-ignore lint/suspicious/noSparseArray: that is what is tried
    ['items without a value', [1, , undefined, () => 1, symbol, Number.NaN, Number.NEGATIVE_INFINITY, -0]],
    [
      'dates and other objects',
      { a: new Date(0), b: new Map([[1, 2]]), c: /x/, d: new Uint8Array([1, 2]), e: [new Date(1)] },
    ],
    ['boxed values', { a: Object('x'), b: Object(1), c: Object(false) }],
    [
      'toJSON',
      {
        a: { toJSON: (key: string) => `as ${key}` },
        b: [{ toJSON: (key: string) => key }],
        c: { toJSON: () => undefined },
      },
    ],
    ['names of prototypes', JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2 }')],
    [
      'instances',
      new (class {
        a = 1;
        get b() {
          return 2;
        }
      })(),
    ],
    ['objects without a prototype', Object.assign(Object.create(null), { a: 1 })],
    [
      'frozen values that are not JSON',
      Object.freeze({ a: Object.freeze(new Date(0)), b: Number.NaN, c: Object.freeze([undefined]) }),
    ],
    ['deep nesting', nested(2000)],
  ])('equals the parsed JSON text: %s', (_, value) => {
    for (const each of [value, deepFreezeJson(value)])
      expect(JSON.stringify(copyJson(each))).toBe(JSON.stringify(value));
  });

  it.each<[string, unknown, string]>([
    ['a cycle', circle, 'a value contains itself'],
    ['a frozen cycle', deepFreeze({ circle }), 'a value contains itself'],
    ['a bigint', { a: [1n] }, 'JSON has no bigint'],
    ['a frozen bigint', deepFreeze({ a: [1n] }), 'JSON has no bigint'],
    ['a value that is nested too deeply', nested(10_001), 'json: exceeded max depth'],
    ['a frozen value that is nested too deeply', deepFreeze(nested(10_001)), 'json: exceeded max depth'],
  ])('is refused: %s', (_, value, message) => {
    expect(() => copyJson(value)).toThrow(message);
  });

  it('shares deeply frozen objects, and nothing else', () => {
    const final = deepFreeze({ a: [{ b: 1 }, null] });
    const half = Object.freeze({ a: { b: 1 } });
    const copy = copyJson({ final, half }) as Record<string, unknown>;
    expect(copy['final']).toBe(final);
    expect(copy['half']).toEqual(half);
    expect(copy['half']).not.toBe(half);
    expect(Object.isFrozen(half.a)).toBe(false);
  });
});

/** Freezes a value if possible: views of bytes cannot be frozen. */
const deepFreezeJson = (value: unknown) => (JSON.stringify(value).includes('{"0":') ? value : deepFreeze(value));
