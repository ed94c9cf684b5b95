import fc from 'fast-check';
import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { applyJsonPatch, decodeJsonPatch } from '../../src/patch/json-patch.js';
import { cpuTime } from '../support/cpu-time.js';
import { propertyRuns } from '../support/property-runs.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { frozen } from './frozen.js';

const patched = (document: JsonValue, patch: JsonValue) =>
  applyJsonPatch(frozen(document), decodeJsonPatch(frozen(patch), 'Ignore'));
const rejected = expect.objectContaining({
  code: 422,
  message: 'the server rejected our request due to an error in our request',
});

interface SuiteCase {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch?: readonly JsonObject[];
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

// Upstream deviates from RFC 6902 in these cases, and this project follows upstream: the result must differ from that of the suite.
const OWN_READING: Readonly<Record<string, string>> = {
  "missing 'value' parameter to add": 'a missing value is null',
  "missing 'value' parameter to replace": 'a missing value is null',
  "missing 'value' parameter to test": 'a missing value is null',
  'missing from location to copy': 'copy of a missing member copies null',
  'test with bad array number that has leading zeros': 'leading zeros are read',
  'replacing the root of the document is possible with add': 'only replace and test take the whole document',
  '[{"op":"add","path":"/bar/-1","value":"5"}]': 'negative indices count from the end',
};
function ownReading({ comment, doc, patch, error }: SuiteCase): string | undefined {
  if (typeof doc !== 'object' || doc === null) return 'a bare value has no place to patch';
  const whole = patch?.some(({ op, path }) => path === '' && op === 'add') === true && error === undefined;
  if (whole) return 'only replace and test take the whole document';
  return OWN_READING[comment ?? JSON.stringify(patch)];
}

for (const file of ['tests', 'spec_tests']) {
  const cases = readShared<readonly SuiteCase[]>(`data/patch/json-patch-tests/${file}.json`, []);
  describe.skipIf(!hasSharedData)(`public suite, ${file} (needs ../shared)`, () => {
    cases.forEach((each, index) => {
      const { comment, doc, patch, expected, error, disabled } = each;
      if (patch === undefined || (disabled === true && error !== undefined)) return;
      const own = ownReading(each);
      it(`${index} ${comment ?? JSON.stringify(patch)}${own === undefined ? '' : ` (otherwise: ${own})`}`, () => {
        let outcome: JsonValue | 'rejected';
        try {
          outcome = patched(doc, patch);
        } catch {
          outcome = 'rejected';
        }
        const wanted = error !== undefined ? 'rejected' : (expected ?? doc);
        if (own === undefined) expect(outcome).toEqual(wanted);
        else expect(outcome).not.toEqual(wanted);
      });
    });
  });
}

interface LibraryCase {
  readonly doc: string | object;
  readonly patch: string;
  readonly result?: string;
  readonly allowMissingPathOnRemove?: boolean;
  readonly ensurePathExistsOnAdd?: boolean;
}
const library = readShared<{ readonly tables: Readonly<Record<string, readonly LibraryCase[]>> }>(
  'data/patch/evanphx-and-mergepatch.json',
  { tables: {} },
).tables;

// The table belongs to a later version of the library than the one that upstream uses.
const LATER_VERSION: Readonly<Record<string, string>> = {
  '[{"op": "replace", "path": "", "value": null}]': 'the whole document cannot become null',
  '[ { "op": "copy", "from": "", "path": "/bar"}]': 'the whole document cannot be copied',
  '[ { "op": "copy", "from": "", "path": "/1"}]': 'the whole document cannot be copied',
  '[{"op":"add","path":"","value":{"foo":"bar"}}]': 'the whole document can only be replaced',
  '[{"op":"add","path":"","value":{"foo":"bar"}}, {"op": "add", "path": "/qux", "value": 1}]':
    'the whole document can only be replaced',
  '[ { "op": "replace", "path": "/foo", "value": "bar" } ]': 'replace of a missing member adds it',
  '[{"op": "copy", "path": "/qux", "from": "/baz"}]': 'copy of a missing member copies null',
};
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();
const usable = (each: LibraryCase) =>
  typeof each.doc === 'string' &&
  each.doc !== '' &&
  // Upstream does not enable these options.
  each.allowMissingPathOnRemove !== true &&
  (each.ensurePathExistsOnAdd !== true || each.patch.includes('"test"'));

describe.skipIf(!hasSharedData)("the library's own tables", () => {
  for (const each of (library['Cases'] ?? []).filter(usable)) {
    it(`${squeezed(String(each.doc))} ${squeezed(each.patch)}`, () => {
      const run = () => patched(JSON.parse(String(each.doc)), JSON.parse(each.patch));
      if (squeezed(each.patch) in LATER_VERSION) expect(run).toThrow(rejected);
      else expect(run()).toEqual(JSON.parse(String(each.result)));
    });
  }
  for (const each of (library['BadCases'] ?? []).filter(usable)) {
    it(`refuses ${squeezed(String(each.doc))} ${squeezed(each.patch)}`, () => {
      const run = () => patched(JSON.parse(String(each.doc)), JSON.parse(each.patch));
      if (squeezed(each.patch) in LATER_VERSION) expect(run).not.toThrow();
      else expect(run).toThrow(rejected);
    });
  }
});

describe('decoding', () => {
  const error = (document: JsonValue, level: 'Ignore' | 'Warn' | 'Strict') => {
    try {
      decodeJsonPatch(document, level);
    } catch (caught) {
      return caught;
    }
    return undefined;
  };
  it.each([
    [{ op: 'add' }, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [7, 'json: cannot unmarshal number into Go value of type []handlers.jsonPatchOp'],
    [['add'], 'json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [[{ op: 1 }], 'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
    [[{ path: [] }], 'json: cannot unmarshal array into Go struct field jsonPatchOp.path of type string'],
  ] as const)('%j', (document, text) => {
    expect(error(document, 'Strict')).toMatchObject({ code: 400, message: `error decoding patch: ${text}` });
  });
  it('has a shorter error if field validation is off', () => {
    expect(error({}, 'Ignore')).toMatchObject({
      code: 400,
      message: 'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    });
    expect(error([{ op: 1 }], 'Ignore')).toBeUndefined();
  });
  it('reports unknown members, and null as an empty patch', () => {
    const patch = [
      { op: 'test', path: '/a', value: { x: 1 } },
      { op: 'add', Path: '', extra: 1, from: null },
    ];
    expect(decodeJsonPatch(patch, 'Warn').problems).toEqual([
      'json patch unknown field "[1].Path"',
      'json patch unknown field "[1].extra"',
    ]);
    expect(decodeJsonPatch(patch, 'Ignore').problems).toEqual([]);
    expect(decodeJsonPatch(null, 'Warn')).toEqual({ operations: [], problems: [] });
  });
  it('counts operations', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 }));
    expect(error(operations, 'Warn')).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
    expect(patched({ a: 1 }, operations.slice(1))).toEqual({ a: 1 });
  });
});

describe('sharing', () => {
  const current = frozen({ meta: { labels: { a: '1' }, owner: { x: 1 } }, list: [{ n: 1 }, { n: 2 }], other: {} });
  it('keeps the values that are not on the path to a change', () => {
    const next = patched(current, [{ op: 'add', path: '/meta/labels/b', value: '2' }]) as typeof current;
    expect(next.meta.labels).toEqual({ a: '1', b: '2' });
    expect(next.meta.owner).toBe(current.meta.owner);
    expect(next.list).toBe(current.list);
    expect(next.other).toBe(current.other);
  });
  it('moves elements instead of copying them', () => {
    const next = patched(current, [{ op: 'move', from: '/list/0', path: '/list/1' }]) as typeof current;
    expect(next.list[1]).toBe(current.list[0]);
    expect(next.meta).toBe(current.meta);
  });
  it.each([
    [[{ op: 'test', path: '/list/0/n', value: 1 }]],
    [[{ op: 'add', path: '/meta/owner', value: { x: 1 } }]],
    [[{ op: 'replace', path: '/list/1', value: { n: 2 } }]],
    [[{ op: 'replace', path: '', value: JSON.parse(JSON.stringify(current)) }]],
    [[]],
  ])('returns the same document if nothing changes: %j', (patch) => {
    expect(patched(current, patch)).toBe(current);
  });
  it('keeps copies independent of their source', () => {
    const next = patched({ a: { n: { v: 1 } } }, [
      { op: 'add', path: '/a/n/w', value: 2 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/n/v', value: 9 },
      { op: 'add', path: '/b/n/w', value: 8 },
    ]);
    expect(next).toEqual({ a: { n: { v: 9, w: 2 } }, b: { n: { v: 1, w: 8 } } });
  });
  it('keeps a value of the patch unchanged', () => {
    const patch = frozen([
      { op: 'add', path: '/v', value: { a: 1 } },
      { op: 'add', path: '/v/b', value: 2 },
    ]);
    expect(patched({}, patch)).toEqual({ v: { a: 1, b: 2 } });
    expect(patched({}, patch)).toEqual({ v: { a: 1, b: 2 } });
  });
});

describe('hostile patches', () => {
  it('treats __proto__ and constructor as data', () => {
    const next = patched(JSON.parse('{"a":{}}'), [
      { op: 'add', path: '/__proto__', value: { polluted: true } },
      { op: 'add', path: '/__proto__/more', value: 1 },
      { op: 'add', path: '/a/constructor', value: 'x' },
    ]);
    expect(JSON.stringify(next)).toBe('{"a":{"constructor":"x"},"__proto__":{"polluted":true,"more":1}}');
    expect(Object.getPrototypeOf(next)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(patched(next, [{ op: 'remove', path: '/__proto__' }])).toEqual({ a: { constructor: 'x' } });
  });
  it('does not find inherited members', () => {
    expect(() => patched({}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }])).toThrow(rejected);
    expect(() => patched({}, [{ op: 'remove', path: '/toString' }])).toThrow(rejected);
    expect(patched({ l: [] }, [{ op: 'test', path: '/constructor', value: null }])).toEqual({ l: [] });
    expect(() => patched({ l: [1] }, [{ op: 'replace', path: '/l/length', value: 0 }])).toThrow(rejected);
  });
  it('refuses copies that grow exponentially', () => {
    const bomb = [
      { op: 'add', path: '/a', value: ['x'.repeat(100)] },
      ...Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' })),
    ];
    expect(() => patched({}, bomb)).toThrow(rejected);
  });
  it('counts the bytes of JSON that copies add', () => {
    const text = 'x'.repeat(1024 * 1024 - 2);
    const copy = { op: 'copy', from: '/t', path: '/u' };
    expect(() => patched({ t: text }, [copy, copy, copy])).not.toThrow();
    expect(() => patched({ t: text }, [copy, copy, copy, copy])).toThrow(rejected);
    expect(() => patched({ t: `${text}x` }, [copy, copy, copy])).toThrow(rejected);
    expect(() => patched({ t: '<'.repeat(600_000) }, [copy])).toThrow(rejected);
  });
  it('applies the maximum number of operations to a large object quickly', () => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'v']));
    const operations = Array.from({ length: 5000 }, (_, i) => [
      { op: 'add', path: `/data/new${i}`, value: 'w' },
      { op: 'copy', from: `/data/k${i}`, path: `/data/copy${i}` },
    ]).flat();
    const started = cpuTime();
    const next = patched({ data }, operations) as { data: JsonObject };
    expect(Object.keys(next.data)).toHaveLength(20_000);
    expect(cpuTime() - started).toBeLessThan(5_000);
  });
  it('copies, compares and adds at any depth', () => {
    const depth = 100_000;
    const nested = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonValue;
    const run = (patch: JsonValue) => applyJsonPatch({ v: nested }, decodeJsonPatch(patch, 'Strict'));
    expect(
      run([{ op: 'test', path: '/v', value: JSON.parse(JSON.stringify({ a: 1 })) as JsonValue }].slice(1)),
    ).toBeDefined();
    expect(run([{ op: 'copy', from: '/v', path: '/w' }])).toMatchObject({ v: {}, w: {} });
    expect(() => run([{ op: 'test', path: '/v', value: 1 }])).toThrow(rejected);
    const same = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonValue;
    expect(run([{ op: 'test', path: '/v', value: same }])).toBeDefined();
    expect(run([{ op: 'add', path: `/v${'/a'.repeat(5000)}/b`, value: 1 }])).toBeDefined();
  });
});

describe('against another implementation', () => {
  const json = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('x', 'y', true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { maxKeys: 3 });

  it('transforms one document into another with a computed patch', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const patch = fastJsonPatch.compare(before, after) as unknown as JsonValue; // The operations are plain JSON.
        const text = JSON.stringify(before);
        expect(patched(before, patch)).toEqual(after);
        expect(JSON.stringify(before)).toBe(text);
      }),
    );
  });

  const path = fc.array(fc.constantFrom('a', 'b', 'c', '0', '1', '-'), { minLength: 1, maxLength: 3 });
  const pointer = path.map((tokens) => tokens.map((token) => `/${token}`).join(''));
  const operation = fc.oneof(
    fc.record({ op: fc.constant('add'), path: pointer, value: json }),
    fc.record({ op: fc.constant('remove'), path: pointer }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
  );
  it('agrees on random operations that the other implementation accepts', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 6 }), (before, operations) => {
        let expected: JsonValue;
        try {
          const copy = JSON.parse(JSON.stringify(before)) as JsonValue;
          const theirs = JSON.parse(JSON.stringify(operations)) as Operation[];
          expected = fastJsonPatch.applyPatch(copy, theirs, true).newDocument;
        } catch {
          return;
        }
        expect(patched(before, operations as unknown as JsonValue)).toEqual(expected); // The value is plain JSON.
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
