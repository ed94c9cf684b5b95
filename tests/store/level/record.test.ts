import { describe, expect, it } from 'vitest';
import { checksum } from '../../../src/store/level/record.js';

/** Computes the checksum as stored folders contain it: from the UTF-16 code units of the key and of the text. */
function byCodeUnits(key: string, text: string): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < key.length + text.length; i++) sum = Math.imul(sum ^ (key + text).charCodeAt(i), 0x01000193);
  sum ^= text.length;
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}

describe('the checksum of a record', () => {
  it('is that of existing folders', () => {
    const key = 'v0000000000000002/registry/configmaps/default/a';
    expect(checksum(key, 'p 2 1700000000000 ', 0, '{"a":1}')).toBe(1506851690);
    expect(checksum(key, 'p 2 1700000000000 ', 0, '{"a":"ä€𝄞"}')).toBe(3824484545);
  });
  it.each([
    ['nothing', ''],
    ['ASCII', '{"a":"b"}'],
    ['the last byte of ASCII', '\u007f\u0080'],
    ['other characters', '{"a":"ä€𝄞"}'],
    ['an unpaired surrogate', '{"a":"\ud834"}'],
    ['the maximum length that is summed by bytes', 'x'.repeat(16 * 1024)],
    ['one character more than that', 'x'.repeat(16 * 1024 + 1)],
    ['more bytes in fewer characters', 'ä'.repeat(12 * 1024)],
    ['a last character beyond that length', `${'x'.repeat(16 * 1024 - 2)}ä`],
  ])('is computed from code units for %s', (_what, text) => {
    expect(checksum('key', text, 0)).toBe(byCodeUnits('key', text));
    expect(checksum('key', 'head ', 0, text)).toBe(byCodeUnits('key', `head ${text}`));
    expect(checksum('key', `skipped${text}`, 'skipped'.length)).toBe(byCodeUnits('key', text));
    expect(checksum(`kéy${text}`, text, 0)).toBe(byCodeUnits(`kéy${text}`, text));
  });
});
