import { describe, expect, it } from 'vitest';
import { decodeRecognized } from '../../src/serialization/recognized.js';

const NO_TYPE = "couldn't get version/kind; json parse error: ";
const STRUCT =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

describe('responses of other servers', () => {
  it.each([
    ['{"apiVersion":"a/v1","kind":"K"}', { apiVersion: 'a/v1', kind: 'K' }],
    [' \n{"kind":"K"}', { kind: 'K' }],
    [
      'apiVersion: a/v1\nkind: K\nresponse: {allowed: true}\n',
      { apiVersion: 'a/v1', kind: 'K', response: { allowed: true } },
    ],
    ['null', {}],
    ['# nothing\n', {}],
  ])('are JSON or YAML: %j', async (text, object) => expect(await decodeRecognized(text)).toEqual(object));
  it.each([
    ['{"kind":', `${NO_TYPE}unexpected end of JSON input`],
    ['{kind: K}', `${NO_TYPE}invalid character 'k' looking for beginning of object key string`],
    ['{"kind":7}', `${NO_TYPE}json: cannot unmarshal number into Go struct field .kind of type string`],
    ['<html>', `${NO_TYPE}json: cannot unmarshal string into Go value of type ${STRUCT}`],
    ['[1]', `${NO_TYPE}json: cannot unmarshal array into Go value of type ${STRUCT}`],
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['apiVersion: a/b/c', 'unexpected GroupVersion string: a/b/c'],
  ])("are refused with upstream's message: %j", async (text, message) => {
    await expect(decodeRecognized(text)).rejects.toThrow(message);
  });
});
