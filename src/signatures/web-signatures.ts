import { checkKeyForm, fitsScheme, wrongKey } from './key-form.js';
import type { Hash, RuntimeKey, SignatureScheme, Signatures } from './signatures.js';

/** Imported public keys. They are cached as long as their bytes are reachable. */
const keys = new WeakMap<Uint8Array, Map<string, Promise<CryptoKey>>>();

/** Implements {@link Signatures} with WebCrypto, which every runtime has. All results are promises. */
export const webSignatures = {
  async verify(scheme, publicKey, signature, data) {
    const key = await publicKeyOf(scheme, publicKey);
    const { modulusLength } = key.algorithm as Partial<RsaKeyAlgorithm>;
    if (!fitsScheme(scheme, signature, modulusLength)) return false;
    try {
      return await crypto.subtle.verify(operation(scheme), key, plain(signature), plain(data));
    } catch {
      return false; // WebCrypto throws if the RSA key is too small for the scheme, so no signature is valid.
    }
  },
  async signer(scheme, pkcs8) {
    const key = await importKey('pkcs8', scheme, pkcs8, 'sign');
    return { sign: async (data) => new Uint8Array(await crypto.subtle.sign(operation(scheme), key, plain(data))) };
  },
  digest: async (hash, data) => new Uint8Array(await crypto.subtle.digest(hash, plain(data))),
  async generateKey(): Promise<RuntimeKey> {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const [pkcs8, spki] = await Promise.all([
      crypto.subtle.exportKey('pkcs8', pair.privateKey),
      crypto.subtle.exportKey('spki', pair.publicKey),
    ]);
    return { pkcs8: new Uint8Array(pkcs8), spki: new Uint8Array(spki) };
  },
} satisfies Signatures;

function publicKeyOf(scheme: SignatureScheme, spki: Uint8Array): Promise<CryptoKey> {
  let known = keys.get(spki);
  if (!known) keys.set(spki, (known = new Map()));
  const id = JSON.stringify(scheme);
  let key = known.get(id);
  if (!key) known.set(id, (key = readPublicKey(scheme, spki)));
  return key;
}

async function readPublicKey(scheme: SignatureScheme, spki: Uint8Array): Promise<CryptoKey> {
  checkKeyForm(scheme, spki);
  return await importKey('spki', scheme, spki, 'verify');
}

async function importKey(
  format: 'spki' | 'pkcs8',
  scheme: SignatureScheme,
  bytes: Uint8Array,
  use: KeyUsage,
): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey(format, plain(bytes), parameters(scheme), false, [use]);
  } catch {
    throw wrongKey(scheme);
  }
}

function parameters(scheme: SignatureScheme): EcKeyImportParams | RsaHashedImportParams | { name: 'Ed25519' } {
  if (scheme.name === 'Ed25519') return { name: 'Ed25519' };
  if (scheme.name === 'ECDSA') return { name: 'ECDSA', namedCurve: scheme.curve };
  return { name: scheme.name === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS', hash: scheme.hash };
}

function operation(scheme: SignatureScheme): AlgorithmIdentifier | EcdsaParams | RsaPssParams {
  if (scheme.name === 'ECDSA') return { name: 'ECDSA', hash: scheme.hash };
  if (scheme.name === 'RSA-PSS') return { name: 'RSA-PSS', saltLength: hashBytes(scheme.hash) };
  return scheme.name === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'Ed25519';
}

function hashBytes(hash: Hash): number {
  return hash === 'SHA-1' ? 20 : Number(hash.slice(4)) / 8;
}

const plain = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>; // The bytes are never in shared memory, so the cast is safe.
