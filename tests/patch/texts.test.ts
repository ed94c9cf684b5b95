import { describe, expect, it } from 'vitest';
import { patchedText } from '../../src/patch/patched-text.js';
import { plainText, textOfString } from '../../src/patch/plain-text.js';
import { unreadablePatch } from '../../src/requests/handlers/patch.js';

describe('error messages', () => {
  it.each([
    ['json', 'Warn', 'error decoding patch: unexpected end of JSON input'],
    ['json', 'Ignore', 'unexpected end of JSON input'],
    ['merge', 'Strict', 'error decoding patch: unexpected end of JSON input'],
    ['merge', 'Ignore', 'Invalid JSON Patch'],
    ['strategic', 'Warn', 'unexpected end of JSON input'],
  ] as const)('of a %s patch that is not JSON, with the field validation %s', (kind, level, message) => {
    expect(unreadablePatch(kind, level, 'unexpected end of JSON input')).toMatchObject({ code: 400, message });
  });
  it.each([
    [{ b: [1, 'x y', null, true], a: {} }, 'map[a:map[] b:[1 x y <nil> true]]'],
    [1e15, '1000000000000000'],
    [0.5, '0.5'],
    [0.00001, '1e-05'],
    [1e-10, '1e-10'],
    [1.5e300, '1.5e+300'],
  ])('without a field: %j', (value, text) => expect(plainText(value)).toBe(text));
  it.each([
    ['x', 'x'],
    [1.5, '%!s(float64=1.5)'],
    [null, '%!s(<nil>)'],
    [['a'], '[a]'],
  ])('where a string is expected: %j', (value, text) => expect(textOfString(value)).toBe(text));
  it('of a patched object, whose keys are sorted where the patch changed it', () => {
    const current = { z: { b: 1, a: '<&>' }, y: [{ d: 1, c: 2 }] };
    const patch = { x: { f: 1, e: 2 } };
    const next = { ...current, ...patch };
    expect(patchedText(next, current, patch)).toBe(
      '{"x":{"f":1,"e":2},"y":[{"d":1,"c":2}],"z":{"b":1,"a":"\\u003c\\u0026\\u003e"}}',
    );
    expect(patchedText(current, current, patch)).toMatch(/^\{"y"/);
  });
});
