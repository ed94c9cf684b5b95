import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../src/openapi/parse-document.js';
import { propertyRuns } from '../support/property-runs.js';

describe('a document that is parsed in slices', () => {
  it('is what JSON.parse returns', async () => {
    const objects = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())));
    await fc.assert(
      fc.asyncProperty(objects, fc.constantFrom(undefined, 1, '\t'), async (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const parsed = await parseDocument(text);
        expect(parsed).toEqual(JSON.parse(text));
        expect(Object.keys(parsed)).toEqual(Object.keys(JSON.parse(text) as object));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each([
    '{}',
    ' { "a" : { } , "b" : [ ] }\n',
    '{"a":{"b":1},"a":{"c":2}}',
    '{"a":{"b":1,"c":2,"b":3}}',
    '{"__proto__":{"__proto__":{"a":1}}}',
    '{"a":{"\\"":"}","\\\\":"\\\\\\""}}',
    '{"2":{"1":0},"1":-1.5e3}',
  ])('%s', async (text) => {
    expect(JSON.stringify(await parseDocument(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each([
    '',
    '[]',
    'null',
    '"a"',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{"a":1}}',
    '{"a":1} x',
    '{,}',
    '{a:1}',
    '{"a":{"b":[1}}',
    '{"a":{"b":01}}',
    '{"a":{"b":"c}}',
    '{"a":{"b":"c\n"}}',
    '{"a" 1}',
    '{"a":{"b":{}],"c":1}}',
  ])('is refused: %s', async (text) => {
    await expect(parseDocument(text)).rejects.toThrow(SyntaxError);
  });

  it('is parsed in time proportional to the text, also if strings end with many escapes', async () => {
    const text = `{"a":{"b":"${'\\\\'.repeat(500_000)}","c":"${'\\"'.repeat(200_000)}"}}`;
    expect(Object.keys(await parseDocument(text))).toEqual(['a']);
  });
});
