import { describe, expect, it } from 'vitest';
import { implementations } from '../meta/implementations.js';
import { data, pkcs8, schemes, spki, verdicts } from './schemes.js';

describe.each(schemes)('%s', (_, pair, scheme) => {
  it('is verified by no implementation if the signature of another is changed', async () => {
    for (const { signatures } of implementations) {
      const signature = await (await signatures.signer(scheme, pkcs8(pair))).sign(data);
      for (const at of [0, signature.length >> 1, signature.length - 1]) {
        const changed = Uint8Array.from(signature);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(await verdicts(scheme, spki(pair), changed, data)).toBe(false);
      }
      const longer = new Uint8Array([...signature, 0]);
      const leading = new Uint8Array([0, ...signature]);
      for (const other of [new Uint8Array(), longer, leading, signature.subarray(1), signature.subarray(0, -1)])
        expect(await verdicts(scheme, spki(pair), other, data)).toBe(false);
      expect(await verdicts(scheme, spki(pair), new Uint8Array(signature.length), data)).toBe(false);
      expect(await verdicts(scheme, spki(pair), new Uint8Array(signature.length).fill(255), data)).toBe(false);
    }
  });
});
