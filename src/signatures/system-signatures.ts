import { decodeBase64Url } from '../values/base64.js';
import { checkKeyForm, fitsScheme, p256Key, wrongKey } from './key-form.js';
import type { Curve, Hash, RuntimeKey, SignatureScheme, Signatures, Signer } from './signatures.js';
import { webSignatures } from './web-signatures.js';

/** An implementation of {@link Signatures} with the functions of a JavaScript runtime. Its keys are random, not derived from a purpose. */
interface RuntimeSignatures extends Signatures {
  generateKey(): RuntimeKey | Promise<RuntimeKey>;
}

let chosen: RuntimeSignatures | undefined;

/** Returns the runtime's implementation. It is chosen on first use, because loading Node's module takes longer than creating a server. */
function runtime(): RuntimeSignatures {
  if (chosen) return chosen;
  const native = nativeCrypto();
  return (chosen = native ? nativeSignatures(native) : webSignatures);
}

/**
 * The default implementation of {@link Signatures}. It uses `node:crypto` in Node, where calls are synchronous, and WebCrypto in other
 * runtimes.
 */
export const systemSignatures: Signatures = {
  verify: (scheme, publicKey, signature, data) => runtime().verify(scheme, publicKey, signature, data),
  signer: (scheme, pkcs8) => runtime().signer(scheme, pkcs8),
  digest: (hash, data) => runtime().digest(hash, data),
};

/** Generates a random P-256 key with the runtime's functions. */
export function generateSystemKey(): RuntimeKey | Promise<RuntimeKey> {
  return runtime().generateKey();
}

/**
 * The functions of `node:crypto` that are used here. Their types are declared here, because only the layers for Node may import the module.
 */
interface NativeCrypto {
  createPublicKey(
    input: { readonly key: Uint8Array; readonly format: 'der'; readonly type: 'spki' } | NativeKey,
  ): NativeKey;
  generateKeyPairSync(type: 'ec', options: { readonly namedCurve: string }): { readonly privateKey: NativeKey };
  createPrivateKey(input: { readonly key: Uint8Array; readonly format: 'der'; readonly type: 'pkcs8' }): NativeKey;
  verify(hash: string | null, data: Uint8Array, key: NativeKeyInput, signature: Uint8Array): boolean;
  sign(hash: string | null, data: Uint8Array, key: NativeKeyInput): Uint8Array;
  randomFillSync(bytes: Uint8Array): Uint8Array;
  createHash(name: string): { update(data: Uint8Array): { digest(): Uint8Array } };
  readonly constants: { readonly RSA_PKCS1_PADDING: number; readonly RSA_PKCS1_PSS_PADDING: number };
}
interface NativeKey {
  readonly asymmetricKeyType?: string;
  readonly asymmetricKeyDetails?: { readonly modulusLength?: number };
  export(options: { readonly format: 'der'; readonly type: 'spki' }): Uint8Array;
  export(options: { readonly format: 'jwk' }): { readonly d?: string; readonly x?: string; readonly y?: string };
}
interface NativeKeyInput {
  readonly key: NativeKey;
  readonly padding?: number;
  readonly saltLength?: number;
  readonly dsaEncoding?: 'ieee-p1363';
}

interface NodeProcess {
  readonly versions?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: string): unknown;
}

/** Returns `node:crypto` when the runtime is Node. Other runtimes also have a module of that name, but it may be less strict. */
export function nativeCrypto(): NativeCrypto | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  return isNode() ? (process?.getBuiltinModule?.('node:crypto') as NativeCrypto | undefined) : undefined;
}

/** Returns whether the runtime is Node itself. */
export function isNode(): boolean {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const versions = process?.versions ?? {};
  return versions['node'] !== undefined && versions['bun'] === undefined && versions['deno'] === undefined;
}

/**
 * Implements {@link Signatures} with Node's own functions, because they are synchronous. WebCrypto passes each call to another thread and
 * back, and that takes several times as long as the computation itself.
 */
export function nativeSignatures(native: NativeCrypto) {
  /** Parsed public keys, and the curves for which their form was checked. They are cached as long as their bytes are reachable. */
  const keys = new WeakMap<Uint8Array, { readonly key: NativeKey; readonly curve: Curve | undefined }>();

  return {
    verify(scheme, publicKey, signature, data) {
      const curve = scheme.name === 'ECDSA' ? scheme.curve : undefined;
      let known = keys.get(publicKey);
      if (!known || known.curve !== curve) {
        checkKeyForm(scheme, publicKey);
        keys.set(publicKey, (known = { key: readPublicKey(native, scheme, publicKey), curve }));
      }
      const { key } = known;
      if (key.asymmetricKeyType !== KEY_TYPES[scheme.name]) throw wrongKey(scheme);
      // The length is read only for RSA keys. Reading the details of an elliptic curve's key takes Node as long as verifying a signature.
      const bits = key.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined;
      if (!fitsScheme(scheme, signature, bits)) return false;
      try {
        return native.verify(hashOf(scheme), data, withParameters(native, scheme, key), signature);
      } catch {
        return false; // Node throws if the RSA key is too small for the scheme, so no signature is valid.
      }
    },
    signer: (scheme, pkcs8) => signerOf(native, scheme, readPrivateKey(native, scheme, pkcs8)),
    digest: (hash, data) => new Uint8Array(native.createHash(NAMES[hash]).update(data).digest()),
    generateKey(): RuntimeKey {
      const { privateKey } = native.generateKeyPairSync('ec', { namedCurve: 'P-256' });
      // A JWK is exported, because writing and reading the key as DER takes OpenSSL several times as long as generating it.
      const { d = '', x = '', y = '' } = privateKey.export({ format: 'jwk' });
      const bytes = (text: string) => decodeBase64Url(text) ?? new Uint8Array();
      return { ...p256Key(bytes(d), bytes(x), bytes(y)), signer: signerOf(native, P256, privateKey) };
    },
  } satisfies Signatures;
}

const P256: SignatureScheme = { name: 'ECDSA', curve: 'P-256', hash: 'SHA-256' };

function signerOf(native: NativeCrypto, scheme: SignatureScheme, key: NativeKey): Signer {
  const input = withParameters(native, scheme, key);
  return { sign: (data) => new Uint8Array(native.sign(hashOf(scheme), data, input)) };
}

const KEY_TYPES: Readonly<Record<SignatureScheme['name'], string>> = {
  RSA: 'rsa',
  'RSA-PSS': 'rsa',
  ECDSA: 'ec',
  Ed25519: 'ed25519',
};
const NAMES: Readonly<Record<Hash, string>> = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};
/** The lengths of digests in bytes. */
const LENGTHS: Readonly<Record<Hash, number>> = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };

const hashOf = (scheme: SignatureScheme) => (scheme.name === 'Ed25519' ? null : NAMES[scheme.hash]);

function withParameters({ constants }: NativeCrypto, scheme: SignatureScheme, key: NativeKey): NativeKeyInput {
  if (scheme.name === 'RSA') return { key, padding: constants.RSA_PKCS1_PADDING };
  if (scheme.name === 'RSA-PSS')
    return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: LENGTHS[scheme.hash] };
  return scheme.name === 'ECDSA' ? { key, dsaEncoding: 'ieee-p1363' } : { key };
}

function readPublicKey(native: NativeCrypto, scheme: SignatureScheme, spki: Uint8Array): NativeKey {
  try {
    return native.createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch {
    throw wrongKey(scheme);
  }
}

const PROBE = new Uint8Array(1);

/**
 * Reads a private key. @throws TypeError for a key of another kind or curve, and for an elliptic-curve key whose public half does not match
 * its private half.
 */
function readPrivateKey(native: NativeCrypto, scheme: SignatureScheme, pkcs8: Uint8Array): NativeKey {
  let key: NativeKey;
  let spki: Uint8Array;
  try {
    key = native.createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    spki = native.createPublicKey(key).export({ format: 'der', type: 'spki' });
  } catch {
    throw wrongKey(scheme);
  }
  if (key.asymmetricKeyType !== KEY_TYPES[scheme.name]) throw wrongKey(scheme);
  checkKeyForm(scheme, spki);
  if (scheme.name !== 'ECDSA') return key;
  const input = withParameters(native, scheme, key);
  const publicInput = withParameters(native, scheme, readPublicKey(native, scheme, spki));
  const hash = hashOf(scheme);
  if (native.verify(hash, PROBE, publicInput, native.sign(hash, PROBE, input))) return key;
  throw wrongKey(scheme);
}
