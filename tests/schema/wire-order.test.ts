import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/json/order.js';
import type { JsonValue } from '../../src/json/value.js';
import { int32, listAtomic, map, omitEmpty, string, struct, structSchema } from '../../src/schema/authoring.js';
import { byName, inWireOrder } from '../../src/schema/wire-order.js';
import { stringifyJson } from '../../src/serialization/json/encode.js';
import { deepFreeze } from '../../src/store/freeze.js';
import { propertyRuns } from '../support/property-runs.js';

const part = struct('v1.Part', '', () => ({ a: omitEmpty(string()), b: omitEmpty(int32()) }));
const schema = structSchema(
  struct('v1.Whole', '', () => ({
    first: omitEmpty(string()),
    parts: omitEmpty(listAtomic(part)),
    labels: omitEmpty(map(string())),
  })),
);

describe('wire order', () => {
  it('is that of the schema at every depth; maps are sorted, and unknown fields are last', () => {
    const value = { x: 1, labels: { b: '', a: '' }, parts: [{ b: 1, a: '1' }], first: 'f' };
    expect(JSON.stringify(inWireOrder(schema, value))).toBe(
      '{"first":"f","parts":[{"a":"1","b":1}],"labels":{"a":"","b":""},"x":1}',
    );
  });
  it('shares objects that are in order', () => {
    const good = deepFreeze({ first: 'f', parts: [{ a: '1', b: 1 }], labels: { a: '' } });
    expect(inWireOrder(schema, good)).toBe(good);
    const { parts } = inWireOrder(schema, { parts: good.parts, first: 'f' }) as typeof good;
    expect(parts).toBe(good.parts);
  });
  it("keeps the names of JavaScript's object members", () => {
    const value = JSON.parse('{"labels":{"b":"","__proto__":"x"},"constructor":1}');
    expect(JSON.stringify(inWireOrder(schema, value))).toBe('{"labels":{"__proto__":"x","b":""},"constructor":1}');
  });
});

describe('the byte order of names', () => {
  it('applies at every depth, whatever the value', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (any, frozen) => {
        const value = any as JsonValue;
        const ordered = byName(frozen ? deepFreeze(value) : value);
        expect(ordered).toEqual(value);
        expect(stringifyJson(ordered)).toBe(canonicalJson(value));
        expect(byName(ordered)).toBe(ordered);
      }),
      { numRuns: propertyRuns(400) },
    ));
  it('shares objects that are in order, and remembers that of frozen ones', () => {
    const part = { a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } };
    const good = { first: part, second: deepFreeze({ 10: 1, 9: 2, '-': 3 }) };
    expect(byName(good)).toBe(good);
    const { first, second } = byName({ second: good.second, first: part });
    expect(first).toBe(part);
    expect(second).toBe(good.second);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${999 - i}`, { b: i, a: i }]));
    expect(Object.keys(byName(deepFreeze(many)))).toEqual(Object.keys(many).sort());
  });
  it("keeps the names of JavaScript's object members, and does not recurse", () => {
    const value = JSON.parse('{"b":{"__proto__":{"y":1,"x":2},"constructor":1},"a":1}');
    expect(JSON.stringify(byName(value))).toBe('{"a":1,"b":{"__proto__":{"x":2,"y":1},"constructor":1}}');
    let deep: JsonValue = { b: 1, a: 2 };
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { b: deep, a: 1 };
    const ordered = byName(deep);
    expect(byName(ordered)).toBe(ordered);
    expect(Object.keys(ordered as object)).toEqual(['a', 'b']);
  });
});
