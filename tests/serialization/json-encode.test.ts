import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeList, encodeListSlabs, encodeObject, encodeWatchEvent } from '../../src/serialization/encoding-cache.js';
import { encodeJson, encodeJsonLine, encodePretty } from '../../src/serialization/json/encode.js';
import { countEncodings } from '../support/count-encodings.js';

const text = (...chunks: readonly Uint8Array[]) => chunks.map((chunk) => new TextDecoder().decode(chunk)).join('');
const configMap = (name: string, more: object = {}) =>
  Object.freeze({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, ...more });

describe('encodeJson', () => {
  it('escapes characters that are dangerous in HTML and JavaScript', () => {
    expect(text(encodeJson({ '<a>': '& \u2028\u2029 <' }))).toBe(
      '{"\\u003ca\\u003e":"\\u0026 \\u2028\\u2029 \\u003c"}',
    );
  });
  it('ends a compact document with a newline, and an indented one without', () => {
    expect(text(encodeJsonLine({ a: [], b: undefined }))).toBe('{"a":[]}\n');
    expect(text(encodePretty({ a: [], b: {}, c: ['<'] }))).toBe(
      '{\n  "a": [],\n  "b": {},\n  "c": [\n    "\\u003c"\n  ]\n}',
    );
  });
  it('encodes values of any depth', () => {
    const deep = `${'[{"a":'.repeat(50_000)}1${',"b":[2]}]'.repeat(50_000)}`;
    expect(text(encodeJson(JSON.parse(deep)))).toBe(deep);
  });
  it('keeps __proto__', () => expect(text(encodeJson(JSON.parse('{"__proto__":1}')))).toBe('{"__proto__":1}'));
  it('encodes to JSON that parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(text(encodeJson(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('encoded objects', () => {
  it('are encoded once', async () => {
    const object = configMap('a');
    expect(await countEncodings('ConfigMap', () => encodeObject(object))).toBe(1);
    const encoded = encodeObject(object);
    expect(encodeObject(object)).toBe(encoded);
    const { bytes, chunks } = encoded;
    expect(text(...chunks)).toBe(`${text(bytes)}\n`);
    expect(text(bytes)).toBe('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}');
    expect(text(encoded.bodyOf(object))).toBe('"metadata":{"name":"a"}}');
  });
  it.each([
    [{ kind: 'A', apiVersion: 'v1' }, '}'],
    [{ apiVersion: 'v1', kind: 'A', data: 1 }, '"data":1}'],
    [{ kind: 'A', data: 1, apiVersion: 'v1' }, '"data":1}'],
    [{ kind: 'Ä<', apiVersion: 'v1', data: '€' }, '"data":"€"}'],
    [{ data: 1 }, '"data":1}'],
    [{}, '}'],
  ])('%j have no type of their own', (object, body) => expect(text(encodeObject(object).bodyOf(object))).toBe(body));
});

describe('encodeList', () => {
  const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '5' } };
  const head = '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[';
  it.each([
    [[], ''],
    [[configMap('a')], '{"metadata":{"name":"a"}}'],
    [[configMap('a'), configMap('b')], '{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}'],
  ])('encodes a list of %j', (items, written) =>
    expect(text(...encodeList(list, items))).toBe(`${head}${written}]}\n`),
  );
  it('keeps the type of custom resources', () => {
    expect(text(...encodeList(list, [{ apiVersion: 'e.com/v1', kind: 'W' }], { itemsCarryKind: true }))).toBe(
      `${head}{"apiVersion":"e.com/v1","kind":"W"}]}\n`,
    );
  });
  it('is produced in slabs with the same bytes', () => {
    const items = Array.from({ length: 3000 }, (_, i) => configMap(`n${i}`, { data: { x: 'é'.repeat(i % 500) } }));
    const slabs = [...encodeListSlabs(list, items)];
    expect(slabs.length).toBeGreaterThan(3);
    expect(Math.max(...slabs.map((slab) => slab.length))).toBeLessThan(270_000);
    expect(JSON.parse(text(...slabs))).toEqual({
      ...list,
      items: items.map(({ kind: _k, apiVersion: _a, ...rest }) => rest),
    });
  });
  it.each([1, 2, 3])('handles items that fill whole slabs (%i)', (count) => {
    const items = Array.from({ length: count }, (_, i) => configMap(`big${i}`, { data: { x: 'x'.repeat(300_000) } }));
    expect(JSON.parse(text(...encodeList(list, items))).items).toHaveLength(count);
  });
  it('encodes an item when it is reached', async () => {
    const items = Array.from({ length: 3000 }, (_, i) => configMap(`n${i}`, { data: { x: 'x'.repeat(500) } }));
    const first = await countEncodings('ConfigMap', () => encodeList(list, items)[Symbol.iterator]().next());
    expect(first).toBeLessThan(1000);
  });
  it('encodes no object twice', async () => {
    const items = Array.from({ length: 50 }, (_, i) => configMap(`c${i}`));
    text(...encodeList(list, items));
    const again = await countEncodings('ConfigMap', () => {
      text(...encodeList(list, items));
      items.map((item) => encodeWatchEvent('ADDED', item));
    });
    expect(again).toBe(0);
  });
});

describe('encodeWatchEvent', () => {
  it('is one buffer for all watchers, which contains the shared encoding of the object', async () => {
    const object = configMap('w', { data: { k: '<é>' } });
    expect(await countEncodings('ConfigMap', () => encodeWatchEvent('ADDED', object))).toBe(1);
    const line = encodeWatchEvent('ADDED', object);
    expect(text(line)).toBe(
      '{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"w"},"data":{"k":"\\u003cé\\u003e"}}}\n',
    );
    expect(encodeWatchEvent('ADDED', object)).toBe(line);
    expect(await countEncodings('ConfigMap', () => encodeObject(object))).toBe(0);
    expect(text(encodeObject(object).bytes)).toBe(text(line).slice(25, -2));
    expect(text(encodeObject(object).bodyOf(object))).toBe(text(encodeObject(object).bytes).slice(38));
    expect(text(encodeWatchEvent('MODIFIED', object))).toBe(text(line).replace('ADDED', 'MODIFIED'));
  });
});
