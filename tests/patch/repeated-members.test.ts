import { describe, expect, it } from 'vitest';
import { applyJsonPatch, decodeJsonPatch } from '../../src/patch/json-patch.js';
import { repeatedMembers } from '../../src/patch/repeated-members.js';
import { findDuplicates } from '../../src/serialization/json/keys.js';

const current = { metadata: { name: 'a' }, list: [{ name: 'x' }] };

function repeatedAfter(text: string): readonly string[] {
  const patch = decodeJsonPatch(JSON.parse(text), 'Warn');
  return repeatedMembers(applyJsonPatch(current, patch), patch, findDuplicates(text, JSON.parse(text)));
}

describe('duplicate members in a patched document', () => {
  it.each([
    [
      'are found in an added value',
      '[{"op":"add","path":"/metadata/labels","value":{"o":1,"o":2}}]',
      ['metadata.labels.o'],
    ],
    ['are found deep inside an added value', '[{"op":"add","path":"/x","value":{"l":[{"o":1,"o":2}]}}]', ['x.l[0].o']],
    ['are found in a value added to a list', '[{"op":"add","path":"/list/-","value":{"o":1,"o":2}}]', ['list[1].o']],
    ['are found in a replaced document', '[{"op":"replace","path":"","value":{"o":1,"o":2}}]', ['o']],
    [
      'are found where they were moved to',
      '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"move","from":"/a","path":"/b"}]',
      ['b.o'],
    ],
    [
      'are found in both places after a copy',
      '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"copy","from":"/a","path":"/b"}]',
      ['a.o', 'b.o'],
    ],
    [
      'are not reported if the value is changed later',
      '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"add","path":"/a/p","value":3}]',
      [],
    ],
    [
      'are not reported if the value is removed later',
      '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"remove","path":"/a"}]',
      [],
    ],
    ['are not reported for the operation itself', '[{"op":"add","op":"add","path":"/a","value":{}}]', []],
  ])('%s', (_, text, expected) => {
    expect(repeatedAfter(text)).toEqual(expected);
  });
});
