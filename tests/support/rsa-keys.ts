import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

const kept: KeyPairKeyObjectResult[] = [];
let given = 0;

/** A pair of RSA keys (2048 bits). Long to generate, they take turns: a pair is another one than the three before it. */
export function rsaKeys(): KeyPairKeyObjectResult {
  const turn = given++ % 4;
  return (kept[turn] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
}
