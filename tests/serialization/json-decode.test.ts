import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/json/decode-error.js';
import { noTypeMeta, readTypeMeta, unrecognized } from '../../src/meta/type-meta.js';
import * as a from '../../src/schema/authoring.js';
import { parseJson } from '../../src/serialization/json/decode.js';
import { jsonFormat } from '../../src/serialization/json/format.js';
import { strictErrors } from '../../src/serialization/json/keys.js';
import { jsonSyntaxError } from '../../src/serialization/json/syntax.js';
import { propertyRuns } from '../support/property-runs.js';
import { goldenSteps, hasSharedData } from '../support/shared-data.js';
import { messageOf, recordedRequests } from './golden.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseJson(bytes(text)).value;
const errorOf = (run: () => unknown): string => {
  try {
    run();
    return '';
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
};

const schemaOf = (fields: a.Fields) => a.structSchema(a.struct('io.k8s.api.core.v1.Whole', '', () => fields));

/** Reads a body as a route would, as far as this room goes. */
function decode(kind: string, body: Uint8Array): string {
  const syntax = errorOf(() => parseJson(body));
  const problem = syntax === '' ? errorOf(() => readTypeMeta(parseJson(body).value)) : noTypeMeta(syntax).message;
  return problem === '' ? '' : unrecognized(kind, problem, body).message;
}

describe.skipIf(!hasSharedData)('recorded bodies', async () => {
  const files = hasSharedData ? ['negotiation/bodies', 'validation/decoding'] : [];
  for (const file of files) {
    const requests = (await recordedRequests(file)).filter((r) =>
      (r.options.type ?? 'application/json').toLowerCase().includes('json'),
    );
    it(`${file} has requests`, () => expect(requests.length).toBeGreaterThan(20));
    it.each(requests.filter((r) => r.answer))('$title', ({ body, answer }) => {
      const message = messageOf(answer);
      expect(decode('ServiceAccount', body)).toBe(
        message.startsWith('the object provided is unrecognized') ? message : '',
      );
    });
  }
});

describe.skipIf(!hasSharedData)('recorded strict errors', async () => {
  const requests = hasSharedData
    ? (await recordedRequests('validation/levels-json')).filter((r) => r.path.includes('=Strict'))
    : [];
  it.each(requests)('$title', ({ body, answer }) => {
    const recorded = messageOf(answer).split('strict decoding error: ')[1] ?? '';
    const unknown = [...recorded.matchAll(/unknown field "([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(strictErrors(body, unknown.reverse()).join(', ')).toBe(recorded);
  });
  it('has recorded steps', () => expect(goldenSteps('validation/levels-json').length).toBeGreaterThan(40));
});

describe('parseJson', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['nul1', "invalid character '1' in literal null (expecting 'l')"],
    ['01', "invalid character '1' after top-level value"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a', 'unexpected end of JSON input'],
    ['"a\tb"', "invalid character '\\t' in string literal"],
    ['\u00a0', "invalid character 'Â' looking for beginning of value"],
  ])('%j: %s', (text, message) => expect(errorOf(() => parse(text))).toBe(message));

  it('keeps __proto__ and constructor as members', () => {
    const value = parse('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
  it('replaces each invalid byte and each lone surrogate', () => {
    expect(parseJson(Uint8Array.of(0x22, 0xe2, 0x82, 0x41, 0xff, 0x22)).value).toBe('\ufffd\ufffdA\ufffd');
    expect(parse('"\\ud800x\\\\ud800 \\ud83d\\ude00 \\udc00"')).toBe('\ufffdx\\ud800 \u{1f600} \ufffd');
  });
  it('accepts 10,000 levels and no more, without a stack overflow', () => {
    const nested = (n: number) => '['.repeat(n) + ']'.repeat(n);
    expect(errorOf(() => parse(nested(10_000)))).toBe('');
    expect(errorOf(() => parse(nested(10_001)))).toBe("invalid character '[' exceeded max depth");
    expect(errorOf(() => parse('['.repeat(1_000_000)))).toBe("invalid character '[' exceeded max depth");
    expect(errorOf(() => parse(`"${'['.repeat(20_000)}"`))).toBe('');
  });
  it('refuses numbers beyond the range of doubles', () => {
    expect(errorOf(() => parseJson(bytes('{"a":-1e400,"a":1}'), { duplicates: true }))).toContain('-1e400');
    expect(errorOf(() => parse('{"a":[1e400]}'))).toBe(
      'json: cannot unmarshal number 1e400 into Go value of type float64',
    );
    expect(errorOf(() => parse('9'.repeat(309)))).toMatch(/cannot unmarshal number 9+ into/);
    expect(parse('["1e400", 1e300]')).toEqual(['1e400', 1e300]);
  });
  it('finds duplicates', () => {
    const text = '{"data":{"a":1,"b":{},"\\u0061":2,"a":3},"spec":{"items":[{"x":1,"x":2},{"x":[{"y":1}]}]},"data":{}}';
    expect(parseJson(bytes(text), { duplicates: true }).duplicates).toEqual(['data.a', 'spec.items[0].x', 'data']);
    expect(parseJson(bytes(text)).duplicates).toEqual([]);
  });
  it('merges repeated members, and no other whose name contains the character U+0000', async () => {
    const text = '{"a":{"x":1},"a\\u0000":2,"a\\u00000":3,"a":{"y":4},"a\\u0000":5}';
    const { merged } = await jsonFormat.read(bytes(text), { duplicates: true });
    expect(merged?.(schemaOf({ a: a.map(a.int32()) }))).toEqual({ a: { x: 1, y: 4 }, 'a\u0000': 5, 'a\u00000': 3 });
  });
  it('merges repeated members as Go decodes them into the types of a struct', async () => {
    const item = a.struct('io.k8s.api.core.v1.Item', '', () => ({
      name: a.omitEmpty(a.string(), 1),
      port: a.omitEmpty(a.int32(), 2),
    }));
    const schema = schemaOf({
      items: a.list(item),
      pointer: a.omitNull(item),
      value: a.always(item),
      time: a.always(a.time()),
      raw: a.any(),
    });
    const read = async (text: string) => {
      const { merged } = await jsonFormat.read(bytes(text), { duplicates: true });
      return merged?.(schema);
    };
    expect(await read('{"items":[{"name":"a","port":1},{"name":"b"}],"items":[{"name":"c"}]}')).toEqual({
      items: [{ name: 'c', port: 1 }],
    });
    expect(await read('{"items":[{"name":"a"}],"items":[null,{"port":2}]}')).toEqual({
      items: [{ name: 'a' }, { port: 2 }],
    });
    const twice = (name: string, first: unknown, second: unknown) =>
      `{"${name}":${JSON.stringify(first)},"${name}":${JSON.stringify(second)}}`;
    expect(await read(twice('pointer', { name: 'a' }, null))).toEqual({ pointer: null });
    expect(await read(twice('value', { name: 'a' }, null))).toEqual({ value: { name: 'a' } });
    expect(await read(twice('time', '2024-01-01T00:00:00Z', null))).toEqual({ time: null });
    expect(await read(twice('raw', { a: 1 }, { b: 2 }))).toEqual({ raw: { b: 2 } });
    expect(await read(twice('raw', { a: 1 }, null))).toEqual({ raw: { a: 1 } });
    expect(await read(twice('value', 5, { name: 'a' }))).toEqual({ value: 5 });
    expect(await read(twice('unknown', { a: 1 }, { b: 2 }))).toEqual({ unknown: { b: 2 } });
  });
  it('reports at most 100 strict errors, and none inside unknown fields', () => {
    const many = `{${Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":2`).join()}}`;
    expect(strictErrors(bytes(many), [])).toHaveLength(100);
    expect(strictErrors(bytes('{"u":{"a":1,"a":2},"u":3,"k":1,"k":2}'), ['u'])).toEqual([
      'unknown field "u"',
      'duplicate field "k"',
    ]);
  });
  it('accepts the same texts as JSON.parse', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().chain((j) => fc.nat(j.length).map((n) => j.slice(0, n))),
      fc.string({ unit: fc.constantFrom(...'{}[]",:0123e-+.tfn\\u ') }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(jsonSyntaxError(bytes(text)) === undefined).toBe(valid);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
  it('finds no duplicates where there are none, and decodes what was encoded', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(bytes(text), { duplicates: true });
        expect(parsed.duplicates).toEqual([]);
        expect(JSON.stringify(parsed.value)).toBe(text.replace(/\\ud[0-9a-f]{3}/g, '\ufffd'));
      }),
    );
  });
});

describe('readTypeMeta', () => {
  it('matches names in any case, and the last one wins', () => {
    expect(readTypeMeta({ Kind: 'A', KIND: 'B', apiVersion: 'v1' })).toEqual({ apiVersion: 'v1', kind: 'B' });
    expect(readTypeMeta(null)).toEqual({ apiVersion: '', kind: '' });
  });
});
