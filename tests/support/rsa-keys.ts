import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

/** Test files that share a process share the keys, though each has this module anew. */
const shared: typeof globalThis & { rsaKeysOfTests?: KeyPairKeyObjectResult[] } = globalThis;
shared.rsaKeysOfTests ??= [];
const kept = shared.rsaKeysOfTests;
let given = 0;

/** Returns a pair of RSA keys (2048 bits). Because generation is slow, four pairs take turns: a pair differs from the three before it. */
export function rsaKeys(): KeyPairKeyObjectResult {
  const turn = given++ % 4;
  return (kept[turn] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
}
