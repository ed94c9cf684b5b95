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
      'in a value that was added',
      '[{"op":"add","path":"/metadata/labels","value":{"o":1,"o":2}}]',
      ['metadata.labels.o'],
    ],
    ['deep inside it', '[{"op":"add","path":"/x","value":{"l":[{"o":1,"o":2}]}}]', ['x.l[0].o']],
    ['at the end of a list', '[{"op":"add","path":"/list/-","value":{"o":1,"o":2}}]', ['list[1].o']],
    ['in the whole document', '[{"op":"replace","path":"","value":{"o":1,"o":2}}]', ['o']],
    ['moved', '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"move","from":"/a","path":"/b"}]', ['b.o']],
    [
      'copied',
      '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"copy","from":"/a","path":"/b"}]',
      ['a.o', 'b.o'],
    ],
    [
      'changed later: gone',
      '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"add","path":"/a/p","value":3}]',
      [],
    ],
    ['removed later: gone', '[{"op":"add","path":"/a","value":{"o":1,"o":2}},{"op":"remove","path":"/a"}]', []],
    ['of the operation itself: not the document’s', '[{"op":"add","op":"add","path":"/a","value":{}}]', []],
  ])('%s', (_, text, expected) => {
    expect(repeatedAfter(text)).toEqual(expected);
  });
});
