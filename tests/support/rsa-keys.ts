import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

const kept: KeyPairKeyObjectResult[] = [];
let given = 0;

/** Returns a pair of RSA keys (2048 bits). Because generation is slow, four pairs take turns: a pair differs from the three before it. */
export function rsaKeys(): KeyPairKeyObjectResult {
  const turn = given++ % 4;
  return (kept[turn] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
}
