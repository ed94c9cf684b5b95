import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/value.js';
import { restoreProblem } from '../../src/patch/restore-problem.js';
import {
  any,
  boolean,
  bytes,
  int32,
  list,
  map,
  omitEmpty,
  omitNull,
  quantity,
  string,
  struct,
  structSchema,
  time,
} from '../../src/schema/authoring.js';

const schema = structSchema(
  struct('example.v1.Thing', '', () => ({
    text: omitEmpty(string()),
    type: omitEmpty(string({ typeName: 'v1.ThingType' })),
    count: omitEmpty(int32()),
    flag: omitEmpty(boolean()),
    when: omitNull(time()),
    size: omitNull(quantity()),
    raw: omitNull(any()),
    names: omitEmpty(list(string())),
    data: omitEmpty(map(string())),
    secrets: omitEmpty(map(bytes())),
    inner: omitNull(struct('example.v1.Inner', '', () => ({ text: omitEmpty(string()) }))),
  })),
);

describe('the error for a strategically merged document that is not an object of its kind', () => {
  it.each<[JsonValue, string | undefined]>([
    [
      { text: 'a', count: 1, flag: true, names: ['x'], data: { a: 'b' }, secrets: { a: 'AAEC' }, raw: [1], inner: {} },
      undefined,
    ],
    [{ text: null, names: [null], unknown: 5 }, undefined],
    [{ text: 1 }, 'cannot convert int64 to string'],
    [{ type: 1 }, 'cannot convert int64 to v1.ThingType'],
    [{ text: true }, 'unrecognized type: string'],
    [{ text: 1.5 }, 'unrecognized type: string'],
    [{ text: ['a'] }, 'unrecognized type: string'],
    [{ count: 'a' }, 'unrecognized type: int32'],
    [{ count: 1.5 }, 'cannot convert float64 to int32'],
    [{ flag: 'true' }, 'unrecognized type: bool'],
    [{ names: 'a' }, 'cannot restore slice from string'],
    [{ names: [{}] }, 'unrecognized type: string'],
    [{ data: ['a'] }, 'cannot restore map from slice'],
    [{ data: { a: 1 } }, 'cannot convert int64 to string'],
    [{ secrets: { a: '***' } }, 'error decoding from json: illegal base64 data at input byte 0'],
    [{ secrets: { a: 5 } }, 'cannot restore slice from int64'],
    [{ inner: 'a' }, 'cannot restore struct from: string'],
    [{ inner: { text: {} } }, 'unrecognized type: string'],
    [{ when: 'yesterday' }, undefined],
    [{ when: {} }, 'json: cannot unmarshal object into Go value of type string'],
    ...[{}, [1], true].map((size): [JsonValue, string] => [
      { size },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ]),
    [{ size: 5 }, undefined],
  ])('%j', (value, problem) => {
    expect(restoreProblem(schema, value)).toBe(problem);
  });
});
