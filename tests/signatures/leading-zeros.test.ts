import { expect, it } from 'vitest';
import { systemSignatures } from '../../src/signatures/system-signatures.js';
import { pkcs8, schemes, spki, verdicts } from './schemes.js';

it.each(schemes.filter(([, , { name }]) => name.startsWith('RSA')))(
  'a signature by %s is as long as its key, even if it begins with a zero',
  async (_, pair, scheme) => {
    const signer = await systemSignatures.signer(scheme, pkcs8(pair));
    for (let i = 0; ; i++) {
      const text = new TextEncoder().encode(`text ${i}`);
      const signature = await signer.sign(text);
      if (signature[0] !== 0) continue; // one of 256 does
      expect(await verdicts(scheme, spki(pair), signature, text)).toBe(true);
      expect(await verdicts(scheme, spki(pair), signature.subarray(1), text)).toBe(false);
      return;
    }
  },
);
