import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DerError, readElement, readElements, readInteger, readOid, readWhole } from '../../src/pki/der/reader.js';
import { checkStructure } from '../../src/pki/der/structure.js';
import { element, integer, namedBits, oid, sequence, time, utf8String } from '../../src/pki/der/writer.js';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

describe('DER that was written is parsed again', () => {
  it('elements of any length', () => {
    for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536, 70_000]) {
      const read = readElement(element(0x04, new Uint8Array(length)));
      expect([read.tag, read.content.length]).toEqual([0x04, length]);
    }
  });
  it('object identifiers', () => {
    const arcs = fc.tuple(
      fc.constantFrom(0, 1, 2),
      fc.integer({ min: 0, max: 39 }),
      fc.array(fc.nat(), { maxLength: 6 }),
    );
    fc.assert(
      fc.property(arcs, ([top, second, rest]) => {
        const text = [top, second, ...rest].join('.');
        expect(readOid(readElement(oid(text)).content)).toBe(text);
      }),
    );
  });
  it('integers', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (value) => {
        expect(readInteger(readElement(integer(value)).content)).toBe(
          BigInt(`0x${Buffer.from(value).toString('hex')}`),
        );
      }),
    );
  });
  it('sets of bits', () => {
    expect(hex(namedBits([0, 2, 5]))).toBe('030202a4');
    expect(hex(namedBits([8]))).toBe('0303070080');
    expect(hex(namedBits([]))).toBe('030100');
  });
  it('times on both sides of 2050', () => {
    const text = (moment: string) => Buffer.from(readElement(time(Date.parse(moment))).content).toString();
    expect(text('2049-12-31T23:59:59Z')).toBe('491231235959Z');
    expect(text('2050-01-01T00:00:00Z')).toBe('20500101000000Z');
  });
  it('refuses times that DER cannot represent', () => {
    expect(() => time(Date.parse('9999-12-31T23:59:59Z'))).not.toThrow();
    expect(() => time(Date.UTC(10_000, 0))).toThrow('a certificate cannot have a time outside the years 0 to 9999');
    expect(() => time(Date.UTC(-1, 11))).toThrow(RangeError);
  });

  it('text', () => {
    expect(Buffer.from(readElement(utf8String('Zoë 🦊')).content).toString()).toBe('Zoë 🦊');
  });
});

describe('a structure', () => {
  const check = (text: string, left = 100) => checkStructure(bytes(text), { left });
  it('of strict DER is accepted', () => {
    expect(() => check('300a0201010101ff04020500')).not.toThrow();
  });
  it.each([
    ['trailing data', '30000500', 'trailing data'],
    ['a padded integer', '30040202007f', 'shortest form'],
    ['an empty integer', '30020200', 'invalid number'],
    ['a very long integer', `30820258028202540${'1'.repeat(2 * 0x254 - 1)}`, 'invalid number'],
    ['unused bits that are not zero', '300403020101', 'invalid bit string'],
    ['unused bits of an empty bit string', '3003030101', 'invalid bit string'],
    ['a boolean that is neither 0 nor 255', '3003010101', 'invalid boolean'],
    ['a null with content', '3003050100', 'invalid null'],
    ['a primitive sequence', '1000', 'unsupported tag'],
    ['a constructed octet string', '300424020400', 'unsupported tag'],
    ['end of contents', '30020000', 'unsupported tag'],
    ['an indefinite length', '30800000', 'unsupported length'],
    ['17 levels', '3020301e301c301a30183016301430123010300e300c300a30083006300430023000', 'too deep'],
  ])('with %s is refused', (_, text, why) => {
    expect(() => check(text)).toThrow(why);
  });
  it('with more elements than the budget allows is refused, whatever shares the budget', () => {
    const budget = { left: 5 };
    checkStructure(bytes('300405000500'), budget);
    expect(() => checkStructure(bytes('300405000500'), budget)).toThrow('too many elements');
  });
});

describe('bytes that are not strict DER are refused', () => {
  it.each([
    ['no bytes', ''],
    ['no length', '30'],
    ['incomplete content', '300401'],
    ['indefinite length', '30800000'],
    ['a length longer than needed', '30810101'],
    ['a length with leading zero', '3082000100'],
    ['a length of five bytes', '30850000000001ff'],
    ['a multi-byte tag', '1f810100'],
  ])('%s', (_, hex) => {
    expect(() => readElement(bytes(hex))).toThrow(DerError);
  });
  it.each([
    ['trailing bytes', () => readWhole(bytes('300000'), 0x30)],
    ['another tag', () => readWhole(bytes('3100'), 0x30)],
    ['an empty integer', () => readInteger(bytes(''))],
    ['a padded integer', () => readInteger(bytes('0001'))],
    ['an incomplete object identifier', () => readOid(bytes('2a86'))],
    ['a padded object identifier', () => readOid(bytes('2a8001'))],
  ])('%s', (_, read) => {
    expect(read).toThrow(DerError);
  });
  it('only a DerError is thrown, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (value) => {
        try {
          readElements(value);
        } catch (error) {
          expect(error).toBeInstanceOf(DerError);
        }
      }),
    );
  });
  it('negative integers are parsed as such', () => {
    expect(readInteger(bytes('ff'))).toBe(-1n);
    expect(readElements(sequence(integer(bytes('80')))).length).toBe(1);
  });
});
