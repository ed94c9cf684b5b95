import { expect, it } from 'vitest';
import { k8s } from '../../../src/meta/dialect.js';
import { decodeContinueToken, encodeContinueToken } from '../../../src/registry/reads/continue-token.js';
import { encodeBase64Url } from '../../../src/values/base64.js';

const tokenOf = (value: unknown) => encodeBase64Url(new TextEncoder().encode(JSON.stringify(value)));
const v = 'meta.k8s.io/v1';

it('decodes what it encoded', () => {
  const position = { revision: 5, start: 'default/a\0' };
  expect(decodeContinueToken(k8s, encodeContinueToken(k8s, position))).toEqual(position);
});

it.each<[object | null | string, string]>([
  [null, 'server does not recognize this encoded version '],
  ['a', 'json: cannot unmarshal string into Go value of type storage.continueToken'],
  [{ v: 1 }, 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
  [{ rv: '5', v: 1 }, 'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'],
  [{ v, rv: 1.5 }, 'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
  [{ v, rv: 1e30 }, 'json: cannot unmarshal number 1e+30 into Go struct field continueToken.rv of type int64'],
  [{ v, rv: null, start: [] }, 'json: cannot unmarshal array into Go struct field continueToken.start of type string'],
  [{ v: null, rv: 1 }, 'server does not recognize this encoded version '],
  [{ v: 'v1', rv: 1, start: 'a' }, 'server does not recognize this encoded version v1'],
  [{ v, rv: 0, start: 'a' }, 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  [{ v, rv: 1 }, 'encoded start key empty (version meta.k8s.io/v1)'],
  [{ v, rv: 1, start: 'a/../b' }, 'a/../b'],
])('refuses the token %j', (value, why) => {
  const message = `invalid continue token: continue key is not valid: ${why}`;
  expect(() => decodeContinueToken(k8s, tokenOf(value))).toThrow(expect.objectContaining({ message }));
});
