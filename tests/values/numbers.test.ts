import { expect, it } from 'vitest';
import { parseSigned, parseUnsigned } from '../../src/values/numbers.js';

it.each([
  ['18446744073709551616x', 'value out of range'],
  ['18446744073709551615x', 'invalid syntax'],
  ['99999999999999999999', 'value out of range'],
  ['1_0', 'invalid syntax'],
  ['', 'invalid syntax'],
])('%j is refused for the first character that is wrong', (text, why) => {
  expect(() => parseUnsigned(text)).toThrow(`strconv.ParseUint: parsing "${text}": ${why}`);
  expect(() => parseSigned(`-${text}`)).toThrow(`strconv.ParseInt: parsing "-${text}": ${why}`);
});
