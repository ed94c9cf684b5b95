import { describe, expect, it } from 'vitest';
import { systemSignatures } from '../../src/signatures/system-signatures.js';
import { keyOfJwk } from '../../src/tokens/key-of-jwk.js';
import { rsaKeys } from '../support/rsa-keys.js';

describe('an RSA key of a key set', () => {
  const { n } = rsaKeys().publicKey.export({ format: 'jwk' });
  const keyWith = (...exponent: readonly number[]) =>
    keyOfJwk({ kty: 'RSA', n, e: Buffer.from(exponent).toString('base64url') }, systemSignatures);

  it.each([[[1, 0, 1]], [[0, 0, 1, 0, 1]], [[3]], [[0x7f, 0xff, 0xff, 0xff]]])(
    'may have the exponent %j',
    async (exponent) => expect(await keyWith(...exponent)).toMatchObject({ algorithm: 'RS256' }),
  );
  it.each([[[0x80, 0, 0, 1]], [[1, 0, 0, 0, 1]], [Array.from({ length: 200 }, () => 255)]])(
    'is not used if verifying a signature would take long: %j',
    async (exponent) => expect(await keyWith(...exponent)).toBeUndefined(),
  );
});
