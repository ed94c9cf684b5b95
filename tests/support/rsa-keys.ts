import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Test files that share a process share the keys, though each has this module anew. */
const shared: typeof globalThis & { rsaKeysOfTests?: KeyPairKeyObjectResult[] } = globalThis;
shared.rsaKeysOfTests ??= [];
const kept = shared.rsaKeysOfTests;
let given = 0;

/** Returns a pair of RSA keys (2048 bits). Because generation is slow, four pairs take turns: a pair differs from the three before it. */
export function rsaKeys(): KeyPairKeyObjectResult {
  const turn = given++ % 4;
  return (kept[turn] ??= storedKeys(turn));
}

/** Reads a pair that the processes of all runs share. Two processes that generate it at once use different pairs, which does no harm. */
function storedKeys(turn: number): KeyPairKeyObjectResult {
  const folder = fileURLToPath(new URL('../../.compiled/keys/', import.meta.url));
  const file = `${folder}rsa-${turn}.pem`;
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    mkdirSync(folder, { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    renameSync(temporary, file);
  }
  const privateKey = createPrivateKey(readFileSync(file));
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
