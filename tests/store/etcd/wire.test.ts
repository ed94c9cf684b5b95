import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeOfPrefix, sameBytes } from '../../../src/store/etcd/key-range.js';
import { answersProgressInOrder } from '../../../src/store/etcd/progress.js';
import { decode, encode, type Table, WireError } from '../../../src/store/etcd/wire.js';
import { propertyRuns } from '../../support/property-runs.js';

const sample = {
  number: [1, 'number'],
  id: [2, 'bigint'],
  flag: [3, 'bool'],
  bytes: [4, 'bytes'],
  text: [64, 'text'],
  inner: [5, { list: [1, 'number', 'list'], empty: [2, {}] }],
  many: [6, { text: [1, 'text'] }, 'list'],
} as const satisfies Table;

describe('messages of etcd', () => {
  it.each([
    [{ number: 150 }, [0x08, 0x96, 0x01]],
    [{ number: 0 }, [0x08, 0x00]],
    [{ number: -1 }, [0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0x01]],
    [{ text: 'é' }, [0x82, 0x04, 0x02, 0xc3, 0xa9]],
    [{ inner: { empty: {} } }, [0x2a, 0x02, 0x12, 0x00]],
    [{ many: [{}, { text: 'a' }] }, [0x32, 0x00, 0x32, 0x03, 0x0a, 0x01, 0x61]],
    [{}, []],
  ])('%o has its bytes', (message, bytes) => {
    expect([...encode(sample, message)]).toEqual(bytes);
    expect(decode(sample, Uint8Array.from(bytes))).toEqual(message);
  });

  it('are decoded as they were encoded', () => {
    const message = fc.record(
      {
        number: fc.maxSafeInteger(),
        id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        flag: fc.boolean(),
        bytes: fc.uint8Array({ maxLength: 300 }),
        text: fc.string({ unit: 'grapheme' }),
        inner: fc.record({ list: fc.array(fc.nat(), { minLength: 1 }), empty: fc.constant({}) }, { requiredKeys: [] }),
        many: fc.array(fc.record({ text: fc.string() }), { minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(message, (value) => {
        expect(decode(sample, encode(sample, value))).toEqual(value);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('with unknown fields are skipped field by field, and malformed ones are refused', () => {
    const unknown = [0x50, 0x01, 0x5a, 0x01, 0x00, 0x61, ...Array(8).fill(1), 0x6d, ...Array(4).fill(1)];
    expect(decode(sample, Uint8Array.from([...unknown, 0x08, 0x05]))).toEqual({ number: 5 });
    // A known field has the wire type of another field.
    expect(decode(sample, Uint8Array.from([0x0a, 0x01, 0x00]))).toEqual({});
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decode(sample, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

describe('ranges of keys', () => {
  it.each([
    ['/a/', '/a0'],
    ['a\u{10ffff}', 'a\u{10ffff}'],
    ['', '\0'],
  ])('for %o end after every key with that prefix', (prefix, end) => {
    const { key, rangeEnd } = rangeOfPrefix(prefix);
    expect(new TextDecoder().decode(key)).toBe(prefix);
    if (prefix !== 'a\u{10ffff}') expect(new TextDecoder().decode(rangeEnd)).toBe(end);
    else expect(rangeEnd.at(-1)).toBe((new TextEncoder().encode(end).at(-1) ?? 0) + 1);
  });
  it('compares bytes', () => {
    expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  });
});

it.each([
  ['3.4.24', false],
  ['3.4.25', true],
  ['3.5.0', false],
  ['3.5.7', false],
  ['3.5.8', true],
  ['3.5.16', true],
  ['3.6.0-rc.1', true],
  ['4.0.0', true],
  ['2.3.8', false],
  ['', false],
])('release %s sends progress notifications in order: %s', (version, is) => {
  expect(answersProgressInOrder(version)).toBe(is);
});
