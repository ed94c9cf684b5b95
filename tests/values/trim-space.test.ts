import { expect, it } from 'vitest';
import { trimSpace } from '../../src/values/trim-space.js';

it.each([
  ['', ''],
  [' \t\n\v\f\r', ''],
  ['a b', 'a b'],
  ['\u0085\u00a0\u1680\u2000a\u200a\u2028\u2029\u202f\u205f\u3000', 'a'],
  ['\ufeff a \u200b', '\ufeff a \u200b'],
  [' \u{1f600} ', '\u{1f600}'],
])('trims %j to %j', (text, trimmed) => {
  expect(trimSpace(text)).toBe(trimmed);
});
