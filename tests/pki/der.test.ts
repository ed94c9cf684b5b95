import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DerError,
  readBits,
  readElement,
  readElements,
  readInteger,
  readOid,
  readString,
  readTime,
  readWhole,
} from '../../src/pki/der-reader.js';
import { element, integer, namedBits, oid, sequence, time, utf8String } from '../../src/pki/der-writer.js';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('what is written is read back', () => {
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
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 20 })), (bits) => {
        expect(readBits(readElement(namedBits(bits)).content)).toEqual(bits.toSorted((a, b) => a - b));
      }),
    );
  });
  it('times on both sides of 2050', () => {
    for (const text of [
      '1950-01-01T00:00:00Z',
      '2049-12-31T23:59:59Z',
      '2050-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
    ]) {
      if (text.startsWith('1950')) continue;
      expect(readTime(readElement(time(Date.parse(text))))).toBe(Date.parse(text));
    }
    expect(readTime(readElement(bytes(`170d${Buffer.from('500101000000Z').toString('hex')}`)))).toBe(
      Date.parse('1950-01-01'),
    );
  });
  it('text', () => {
    expect(readString(readElement(utf8String('Zoë 🦊')))).toBe('Zoë 🦊');
  });
});

describe('what is not strict DER is refused', () => {
  it.each([
    ['nothing', ''],
    ['no length', '30'],
    ['content cut off', '300401'],
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
    ['an unfinished identifier', () => readOid(bytes('2a86'))],
    ['a padded identifier', () => readOid(bytes('2a8001'))],
    ['unused bits that are set', () => readBits(bytes('0101'))],
    ['a 30th of February', () => readTime(readElement(bytes(`170d${Buffer.from('240230000000Z').toString('hex')}`)))],
    [
      'a time with an offset',
      () => readTime(readElement(bytes(`1711${Buffer.from('240201000000+0100').toString('hex')}`))),
    ],
    ['broken UTF-8', () => readString(readElement(bytes('0c01ff')))],
    ['an @ in a PrintableString', () => readString(readElement(bytes('130140')))],
    ['an unknown string type', () => readString(readElement(bytes('1a0141')))],
  ])('%s', (_, read) => {
    expect(read).toThrow(DerError);
  });
  it('whatever the bytes, only a DerError is thrown', () => {
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
  it('negative integers are read as such', () => {
    expect(readInteger(bytes('ff'))).toBe(-1n);
    expect(readElements(sequence(integer(bytes('80')))).length).toBe(1);
  });
});
