import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/json/decode-error.js';
import { builtinResources } from '../../src/resources/index.js';
import { structSchema } from '../../src/schema/authoring.js';
import { decoderOf } from '../../src/schema/decode.js';
import { Decoding } from '../../src/schema/decoding.js';
import { objectMeta } from '../../src/schema/object-meta-schema.js';
import type { Schema } from '../../src/schema/schema.js';
import { canonicalBase64 } from '../../src/values/base64.js';
import { canonicalQuantity } from '../../src/values/quantity.js';
import { normalizeMicroTime, normalizeTime } from '../../src/values/time.js';
import { fetchFrom } from '../support/ask.js';
import { propertyRuns } from '../support/property-runs.js';
import { openServer } from '../support/servers.js';

const RUNS = { numRuns: propertyRuns(400) };

/** For each format: a notation that is accepted, and the one that Go writes. */
const SPELLINGS: Readonly<Record<string, readonly (readonly [unknown, unknown])[]>> = {
  byte: [
    ['YQ==', 'YQ=='],
    ['YQ==\n', 'YQ=='],
    ['YQ==\r\n\r\n', 'YQ=='],
    ['YQ=\n=', 'YQ=='],
    ['Y\nQ\r==\n', 'YQ=='],
    ['YR==\n', 'YQ=='],
    ['YWI=\n', 'YWI='],
    ['YWN=\r', 'YWM='],
    ['YWJj\n', 'YWJj'],
    ['\nYWJj', 'YWJj'],
    ['\n', ''],
    [[97], 'YQ=='],
    [[97, null], 'YQA='],
  ],
  'date-time': [
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05+00:00', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05.999999999Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T3:04:05,5-01:00', '2024-01-02T04:04:05Z'],
    ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T01:00:00+01:00', null],
  ],
  'micro-time': [
    ['2024-01-02T03:04:05.000000Z', '2024-01-02T03:04:05.000000Z'],
    ['2024-01-02T03:04:05.120000+01:00', '2024-01-02T02:04:05.120000Z'],
    ['2024-01-02T03:04:05,000001Z', '2024-01-02T03:04:05.000001Z'],
    ['0001-01-01T00:00:00.000000Z', null],
  ],
  quantity: [
    ['1', '1'],
    [1, '1'],
    [0.5, '500m'],
    ['+1.50', '1500m'],
    [' 1 ', '1'],
    ['\u00a01', '1'],
    ['0.5Gi', '512Mi'],
    ['1024Ki', '1Mi'],
    ['1000k', '1M'],
    ['1E', '1E'],
    ['1E3', '1E3'],
    ['1.250', '1.250'],
    ['+5', '+5'],
    ['1e4', '10e3'],
    ['.5e1', '5'],
    ['-0', '0'],
    ['0.1n', '1n'],
  ],
  intOrString: [
    [0, 0],
    [-0, 0],
    ['80', '80'],
    ['050%', '050%'],
  ],
};

const formOf = (schema: Schema): string =>
  schema.type === 'string' ? (schema.format ?? '') : schema.type === 'intOrString' ? schema.type : '';

/** Returns the leaves of a schema whose format has a canonical notation. */
function leavesIn(schema: Schema, found: Set<Schema>, seen = new Set<Schema>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.type === 'object')
    for (const { schema: inner } of schema.properties.values()) leavesIn(inner, found, seen);
  else if (schema.type === 'list') leavesIn(schema.items, found, seen);
  else if (schema.type === 'map') leavesIn(schema.values, found, seen);
  else if (formOf(schema) in SPELLINGS) found.add(schema);
}

describe('decoded values have the form that Go writes', () => {
  const leaves = new Set<Schema>();
  for (const { schema } of builtinResources) leavesIn(schema, leaves);
  leavesIn(structSchema(objectMeta), leaves);

  it('in leaves of every form', () => {
    expect(new Set([...leaves].map(formOf))).toEqual(new Set(Object.keys(SPELLINGS)));
  });

  it('in every leaf of every built-in kind', () => {
    for (const leaf of leaves)
      for (const [spelling, canonical] of SPELLINGS[formOf(leaf)] ?? []) {
        const at = new Decoding(leaf, {});
        const read = decoderOf(leaf)(spelling, at);
        at.finish();
        expect(read, `${formOf(leaf)} ${JSON.stringify(spelling)}`).toBe(canonical);
        // A canonical value is decoded unchanged.
        if (read !== undefined && read !== null) expect(decoderOf(leaf)(read, at)).toBe(read);
      }
  });

  it('on every day of a leap year and of another year, and refuse the days that a month does not have', () => {
    const leaf: Schema = { type: 'string', format: 'date-time' };
    const decode = (text: string) => decoderOf(leaf)(text, new Decoding(leaf, {}));
    for (const year of [2023, 2024])
      for (let month = 1; month <= 12; month++)
        for (let day = 1; day <= 31; day++) {
          const text = `${year}-${pair(month)}-${pair(day)}T23:59:59Z`;
          const exists = day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
          if (exists) expect(decode(text)).toBe(text);
          else expect(() => decode(text), text).toThrow(DecodeError);
        }
  });

  it('for bytes with any line breaks and spare bits', () => {
    const spelled = fc.record({ bytes: fc.uint8Array({ maxLength: 9 }), breaks: fc.array(fc.nat(), { maxLength: 9 }) });
    fc.assert(
      fc.property(spelled, fc.nat(15), ({ bytes, breaks }, spare) => {
        const canonical = Buffer.from(bytes).toString('base64');
        let text = withSpareBits(canonical, spare);
        for (const at of breaks) {
          const place = at % (text.length + 1);
          text = `${text.slice(0, place)}${at % 2 === 0 ? '\n' : '\r'}${text.slice(place)}`;
        }
        expect(canonicalBase64(text)).toBe(canonical);
      }),
      RUNS,
    );
  });

  it('except times and quantities, which keep their notation', () => {
    const time = fc.date({
      min: new Date(-62_135_596_799_000),
      max: new Date(253_402_214_400_000),
      noInvalidDate: true,
    });
    const offset = fc.integer({ min: -24 * 60, max: 24 * 60 });
    fc.assert(
      fc.property(time, offset, (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000);
        fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9999);
        const zone = `${minutes < 0 ? '-' : '+'}${pair(Math.abs(minutes) / 60)}:${pair(Math.abs(minutes) % 60)}`;
        const text = local.toISOString().slice(-24, -1);
        const seconds = normalizeTime(`${text}${zone}`);
        expect(seconds).toBe(`${date.toISOString().slice(0, 19)}Z`);
        expect(normalizeTime(seconds ?? '')).toBe(seconds);
        const micro = normalizeMicroTime(`${text}999${zone}`);
        expect(micro).toBe(`${date.toISOString().slice(0, 23)}999Z`);
        expect(normalizeMicroTime(micro ?? '')).toBe(micro);
      }),
      RUNS,
    );
    const suffix = fc.constantFrom(
      '',
      'n',
      'u',
      'm',
      'k',
      'M',
      'G',
      'T',
      'P',
      'E',
      'Ki',
      'Mi',
      'Ei',
      'e3',
      'E-2',
      'e0',
    );
    fc.assert(
      fc.property(fc.constantFrom('', '+', '-'), fc.nat(), fc.nat(), suffix, (sign, whole, fraction, unit) => {
        const canonical = canonicalQuantity(`${sign}${whole}.${fraction}${unit}`);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
      RUNS,
    );
  });
});

describe('values that Go does not decode', () => {
  const read = (format: 'byte' | 'quantity', value: unknown) => () => {
    const at = new Decoding({ type: 'string', format }, {});
    decoderOf({ type: 'string', format })(value, at);
    at.finish();
  };
  it.each([
    ['byte', 'YQ==\nYQ==', 'illegal base64 data at input byte 5'],
    ['byte', 'YQ=\n', 'illegal base64 data at input byte 4'],
    ['byte', 'YQ== ', 'illegal base64 data at input byte 4'],
    ['byte', 'YQ==\t', 'illegal base64 data at input byte 4'],
    ['byte', [256], 'json: cannot unmarshal number 256 into Go value of type uint8'],
    ['byte', [-1], 'json: cannot unmarshal number -1 into Go value of type uint8'],
    ['byte', [1.5], 'json: cannot unmarshal number 1.5 into Go value of type uint8'],
    ['byte', ['a'], 'json: cannot unmarshal string into Go value of type uint8'],
    // Line breaks are written with an escape, which a quantity cannot contain.
    ['quantity', '1\n', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['quantity', '\t1', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ] as const)('%s %j', (format, value, message) => {
    expect(read(format, value)).toThrow(new DecodeError(message));
  });
});

describe('a server', () => {
  it('compares decoded values, so that another spelling of the same bytes is no change', async () => {
    await using server = await openServer();
    const send = async (method: string, path: string, body: string) => {
      const headers = { 'content-type': 'application/yaml' };
      const answer = await fetchFrom(server, path, { method, headers, body });
      return (await answer.json()) as Record<string, unknown> & { metadata: Record<string, unknown> };
    };
    const of = (kind: string, fields: string) =>
      `apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\nimmutable: true\n${fields}`;
    for (const [kind, path, field] of [
      ['Secret', '/api/v1/namespaces/default/secrets', 'data'],
      ['ConfigMap', '/api/v1/namespaces/default/configmaps', 'binaryData'],
    ] as const) {
      const made = await send('POST', path, of(kind, `${field}:\n  a: |\n    YQ==\n`));
      expect(made).toMatchObject({ [field]: { a: 'YQ==' } });
      for (const spelling of ['"YQ=="', '"Y\\nQ=\\r=\\n"', '"YR=="', '[97]'])
        expect(await send('PUT', `${path}/a`, of(kind, `${field}: {a: ${spelling}}\n`))).toEqual(made);
      expect(await send('PUT', `${path}/a`, of(kind, `${field}: {a: Yg==}\n`))).toMatchObject({ code: 422 });
    }
  });

  it('keeps the notation of addresses, which are strings', async () => {
    await using server = await openServer();
    const path = 'https://server/api/v1/namespaces/default/endpoints';
    const subsets = [{ addresses: [{ ip: '2001:DB8:0::1' }], ports: [{ port: 80 }] }];
    const body = JSON.stringify({ metadata: { name: 'a' }, subsets });
    const headers = { 'content-type': 'application/json' };
    const answer = await server.fetch(new Request(path, { method: 'POST', headers, body }));
    expect(await answer.json()).toMatchObject({ subsets: [{ addresses: [{ ip: '2001:DB8:0::1' }] }] });
  });
});

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Sets the unused bits of the last digit. */
function withSpareBits(text: string, bits: number): string {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (padding === 0) return text;
  const at = text.length - padding - 1;
  const digit = DIGITS.indexOf(text.charAt(at)) | (bits & (padding === 2 ? 15 : 3));
  return `${text.slice(0, at)}${DIGITS.charAt(digit)}${'='.repeat(padding)}`;
}
const pair = (value: number) => String(Math.trunc(value)).padStart(2, '0');
