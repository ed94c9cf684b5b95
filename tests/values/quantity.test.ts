import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityToInteger,
  quantityToNumber,
  roundQuantityUp,
  subtractQuantities,
} from '../../src/values/quantity.js';
import { cases, hasSharedData } from '../support/shared-data.js';

type Plain = { unscaled?: number; exponent?: number; format?: QuantityFormat; Format?: QuantityFormat };
const quantity = (p: Plain): Quantity => ({
  unscaled: BigInt(p.unscaled ?? 0),
  exponent: p.exponent ?? 0,
  format: p.format ?? p.Format ?? 'DecimalSI',
});
const isWhole = (p: unknown): p is Plain =>
  typeof p === 'object' &&
  p !== null &&
  !JSON.stringify(p).includes('$') &&
  Number.isSafeInteger(Reflect.get(p, 'unscaled') ?? 0);

describe.skipIf(!hasSharedData)('the upstream tables', () => {
  it('TestQuantityParse', () => {
    let seen = 0;
    for (const { input, expect: want } of cases<{ input: string; expect: unknown }[]>(
      'meta-quantity',
      'TestQuantityParse',
      'table',
    )) {
      if (!isWhole(want)) continue;
      for (const sign of ['', '+', '-']) {
        const parsed = parseQuantity(sign + input);
        const wanted = sign === '-' ? negateQuantity(quantity(want)) : quantity(want);
        expect(compareQuantities(parsed, wanted), input).toBe(0);
        expect(parsed.format, input).toBe(wanted.format);
      }
      seen++;
    }
    expect(seen).toBeGreaterThan(80);
    for (const bad of cases<string[]>('meta-quantity', 'TestQuantityParse', 'invalid'))
      expect(isQuantity(bad), bad).toBe(false);
  });

  it('TestQuantityString, TestQuantityParseEmit', () => {
    for (const c of cases<{ in: unknown; expect: string; alternate: string }[]>(
      'meta-quantity',
      'TestQuantityString',
      'table',
    )) {
      if (!isWhole(c.in)) continue;
      expect(formatQuantity(quantity(c.in))).toBe(c.expect);
      if (c.alternate !== '') expect(formatQuantity(parseQuantity(c.alternate))).toBe(c.expect);
    }
    for (const c of cases<{ in: string; expect: string }[]>('meta-quantity', 'TestQuantityParseEmit', 'table')) {
      expect(formatQuantity(parseQuantity(c.in))).toBe(c.expect);
      expect(formatQuantity(parseQuantity(`-${c.in}`))).toBe(`-${c.expect}`);
    }
  });

  it('TestAdd, TestSub, TestNeg', () => {
    type Case = { a: Plain; b: Plain; expected: Plain };
    const agree = (got: Quantity, want: Plain) => {
      expect(compareQuantities(got, quantity(want))).toBe(0);
      expect(got.format).toBe(quantity(want).format);
    };
    for (const c of cases<Case[]>('meta-quantity', 'TestAdd', 'tests'))
      agree(addQuantities(quantity(c.a), quantity(c.b)), c.expected);
    for (const c of cases<Case[]>('meta-quantity', 'TestSub', 'tests')) {
      agree(subtractQuantities(quantity(c.a), quantity(c.b)), c.expected);
    }
    for (const c of cases<Case[]>('meta-quantity', 'TestNeg', 'tests'))
      agree(negateQuantity(quantity(c.a)), c.expected);
  });

  it('TestQuantityCmp', () => {
    for (const c of cases<{ x: string; y: string; expect: number }[]>('meta-quantity', 'TestQuantityCmp', 'table')) {
      expect(compareQuantities(parseQuantity(c.x), parseQuantity(c.y))).toBe(c.expect);
    }
  });
});

describe('edge cases', () => {
  it.each([
    ['1.5', '1500m'],
    ['1.5Gi', '1536Mi'],
    ['0.5Mi', '512Ki'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['1E2', '100'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['9Ei', '9223372036854775807'],
    ['1000E', '1e21'],
    ['100Ki', '100Ki'],
    ['1023', '1023'],
  ])('%s is written %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it.each([
    ['1.250', '1.250'],
    ['1.500k', '1.500k'],
    ['+5', '+5'],
    ['5.P', '5.P'],
    ['+12E6', '+12E6'],
    ['07Ki', '07Ki'],
    ['1.000', '1'],
    ['0.250', '250m'],
    ['+0', '0'],
    ['+8Ki', '8Ki'],
    ['1.250Ki', '1280'],
  ])('%s is written %s, because only a canonical form is searched for', (text, written) => {
    expect(canonicalQuantity(text)).toBe(written);
    const parsed = parseQuantity(text);
    const zero = parseQuantity('0');
    expect(formatQuantity(addQuantities(parsed, zero))).toBe(formatQuantity(negateQuantity(negateQuantity(parsed))));
  });

  it('keeps the text of a quantity that is not rounded', () => {
    expect(formatQuantity(roundQuantityUp(parseQuantity('1.250'), -3))).toBe('1.250');
    expect(formatQuantity(roundQuantityUp(parseQuantity('1.250'), 0))).toBe('2');
  });

  it('reports what is wrong', () => {
    expect(() => parseQuantity('')).toThrow(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
    expect(() => parseQuantity('1ik')).toThrow("unable to parse quantity's suffix");
    for (const suffix of ['Ei', '-Pi', '.Ei', 'e-10'])
      expect(() => parseQuantity(suffix)).toThrow('unable to parse numeric part of quantity');
    for (const suffix of ['Ti', '-', '.', 'E', 'n']) expect(canonicalQuantity(suffix)).toBe('0');
  });

  it('refuses exponents that would take for ever', () => {
    for (const bad of ['1e999999999', '1e-999999999', '9'.repeat(3_000_000), `1e${'9'.repeat(1_000_000)}`]) {
      expect(isQuantity(bad)).toBe(false);
    }
  });

  it('converts to a number', () => {
    expect(quantityToInteger(parseQuantity('2Ki'))).toBe(2048n);
    expect(quantityToInteger(parseQuantity('1500m'))).toBeUndefined();
    expect(quantityToNumber(parseQuantity('1500m'))).toBe(1.5);
  });
});

describe('properties', () => {
  const any = fc.record({
    unscaled: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    exponent: fc.integer({ min: -9, max: 12 }),
    format: fc.constantFrom<QuantityFormat>('DecimalSI', 'DecimalExponent'),
  });
  /** A quantity in billionths. */
  const nano = (q: Quantity) => q.unscaled * 10n ** BigInt(q.exponent + 9);
  const sign = (n: bigint) => (n < 0n ? -1 : n > 0n ? 1 : 0);

  it('parses what it formats, without loss', () => {
    fc.assert(
      fc.property(any, (q) => {
        expect(nano(parseQuantity(formatQuantity(q)))).toBe(nano(q));
      }),
    );
    const binary = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });
    fc.assert(
      fc.property(binary, (unscaled) => {
        expect(nano(parseQuantity(formatQuantity({ unscaled, exponent: 0, format: 'BinarySI' })))).toBe(
          unscaled * 10n ** 9n,
        );
      }),
    );
  });

  it('calculates like integers of billionths', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(nano(addQuantities(a, b))).toBe(nano(a) + nano(b));
        expect(nano(subtractQuantities(a, b))).toBe(nano(a) - nano(b));
        expect(compareQuantities(a, b)).toBe(sign(nano(a) - nano(b)));
      }),
    );
  });

  it('rounds away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 20 }), (digits, places) => {
        const unit = 10n ** BigInt(places);
        const wanted = digits / unit + (digits % unit === 0n ? 0n : 1n);
        expect(nano(parseQuantity(`${digits}e-${places + 9}`))).toBe(wanted);
      }),
    );
  });
});
