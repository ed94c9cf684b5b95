import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { applyMergePatch, decodeMergePatch } from '../../src/patch/merge-patch.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { frozen } from './frozen.js';

const patched = (current: JsonValue, patch: JsonValue) =>
  applyMergePatch(frozen(current), decodeMergePatch(frozen(patch), 'Ignore'));

interface RfcCase {
  readonly original: JsonValue;
  readonly patch: JsonValue;
  readonly result: JsonValue;
}
const rfc = readShared<{ readonly cases: readonly RfcCase[] }>('data/patch/rfc7386.json', { cases: [] }).cases;

describe.skipIf(!hasSharedData)('RFC 7386, appendix A', () => {
  for (const { original, patch, result } of rfc) {
    // A patch that is a scalar would replace the object by one, so it is refused.
    const bare = typeof patch !== 'object' || patch === null;
    it(`${JSON.stringify(original)} with ${JSON.stringify(patch)}${bare ? ': refused' : ''}`, () => {
      if (bare) expect(() => patched(original, patch)).toThrow('Invalid JSON Patch');
      else expect(patched(original, patch)).toEqual(result);
    });
  }
});

type Row = Readonly<Record<string, string>>;
const tables = readShared<{ readonly tables: Readonly<Record<string, readonly Row[]>> }>(
  'data/patch/evanphx-and-mergepatch.json',
  { tables: {} },
).tables;
const rows = [
  ...(tables['TestMergePatchNilArray.cases'] ?? []).map((row) => [row['original'], row['patch'], row['res']]),
  ...(tables['TestMergePatchReplacesNonObjectsWholesale.cases'] ?? []).map((r) => [r['doc'], r['pat'], r['res']]),
].map((row) => row.map((text) => JSON.parse(text ?? 'null') as JsonValue));
describe.skipIf(!hasSharedData)("the library's own tables", () => {
  it.each(rows)('%j with %j gives %j', (original = null, patch = null, result = null) => {
    expect(patched(original, patch)).toEqual(result);
  });
});

describe('an invalid merge patch', () => {
  it.each([
    [[], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
    [true, 'error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}'],
    [null, 'Invalid JSON Patch'],
  ])('%j', (document, message) => {
    expect(() => decodeMergePatch(document, 'Warn')).toThrow(expect.objectContaining({ code: 400, message }));
  });
  it('that is a list becomes the result if field validation is off', () => {
    expect(patched({ a: 1 }, [{ b: null, c: 1 }, null])).toEqual([{ c: 1 }, null]);
  });
});

describe('sharing', () => {
  const current = frozen({ a: { deep: { x: 1 } }, list: [{ n: 1 }], nothing: null, b: { y: [1, 2] } });
  it('keeps the values that the patch does not mention', () => {
    const next = patched(current, { a: { new: 1 }, list: [{ n: 2 }] }) as typeof current;
    expect(next).toEqual({ ...current, a: { deep: { x: 1 }, new: 1 }, list: [{ n: 2 }] });
    expect(next.a.deep).toBe(current.a.deep);
    expect(next.b).toBe(current.b);
  });
  it.each([
    {},
    { a: {} },
    { a: { deep: { x: 1 } }, b: { y: [1, 2] } },
    { list: [{ n: 1 }], missing: null, b: { missing: null } },
  ])('returns the same object if nothing changes: %j', (patch) => {
    expect(patched(current, patch)).toBe(current);
  });
});

describe('properties', () => {
  const text = fc.constantFrom('x', 'y', 1, 2, true, false);
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value, { maxKeys: 4 });
  const isObject = (v: JsonValue | undefined): v is JsonObject =>
    typeof v === 'object' && v !== null && !Array.isArray(v);

  function difference(before: JsonObject, after: JsonObject): JsonObject {
    const patch: Record<string, JsonValue> = Object.create(null);
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [a, b] = [
        Object.hasOwn(before, name) ? before[name] : undefined,
        Object.hasOwn(after, name) ? after[name] : undefined,
      ];
      if (b === undefined) patch[name] = null;
      else if (isObject(a) && isObject(b)) patch[name] = difference(a, b);
      else if (JSON.stringify(a) !== JSON.stringify(b)) patch[name] = b;
    }
    return patch;
  }
  const sorted = (v: JsonValue): string =>
    JSON.stringify(v, (_, each: JsonValue) =>
      isObject(each) ? Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)) : each,
    );

  it('a computed difference, applied, results in the other object', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(sorted(patched(before, difference(before, after)))).toBe(sorted(after));
      }),
    );
  });
  it('applying a patch twice has the same result as once', () => {
    fc.assert(
      fc.property(object, object, (current, patch) => {
        const once = patched(current, patch);
        expect(patched(once, patch)).toBe(once);
      }),
    );
  });
});

describe('hostile patches', () => {
  it('treats __proto__ and constructor as data', () => {
    const next = patched(
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"b":2},"constructor":{"prototype":{"c":3}}}'),
    );
    expect(JSON.stringify(next)).toBe('{"__proto__":{"a":1,"b":2},"constructor":{"prototype":{"c":3}}}');
    expect(Object.getPrototypeOf(next)).toBe(Object.prototype);
    expect(JSON.stringify(patched(next, JSON.parse('{"__proto__":null,"constructor":null}')))).toBe('{}');
  });
  it('refuses a patch that is nested too deeply', () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonValue;
    const run = (depth: number) => applyMergePatch(nested(depth), decodeMergePatch(nested(depth), 'Strict'));
    expect(run(900)).toBeDefined();
    expect(() => run(100_000)).toThrow(
      expect.objectContaining({ code: 400, message: 'error decoding patch: exceeded max depth' }),
    );
  });
});
