import { parseCertificate } from '../pki/parse-certificate.js';
import { decodePem, type PemBlock } from '../pki/pem.js';
import { privateKeyLabels, toPkcs8, toPublicKeyInfo } from '../pki/private-key.js';
import type { Curve, Hash, SignatureScheme, Signatures, Signer } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { encodeBase64Url } from '../values/base64.js';

/**
 * The algorithm with which a key signs tokens: an RSA key always with SHA-256, and a curve's key with the hash of its curve (spec 14.6).
 */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** The public half as a JSON Web Key, without `use` and `kid`. */
export type PublicJwk =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: string; readonly x: string; readonly y: string };

/** A key that signs or verifies tokens. */
export interface TokenKey {
  /** The name of the key in token headers. Default: base64url of the SHA-256 of the public key's SubjectPublicKeyInfo. */
  readonly kid: string;
  /** The signature algorithm. */
  readonly algorithm: TokenAlgorithm;
  /** The public key. */
  readonly publicJwk: PublicJwk;
  /** The public half as SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** Signs tokens; absent for a key that only verifies. */
  readonly signer?: Signer;
}

export type SigningTokenKey = TokenKey & { readonly signer: Signer };

interface Kind {
  readonly algorithm: TokenAlgorithm;
  readonly parameters: EcKeyImportParams | RsaHashedImportParams;
  readonly scheme: SignatureScheme;
}
const curve = (algorithm: TokenAlgorithm, namedCurve: Curve, hash: Hash): Kind => ({
  algorithm,
  parameters: { name: 'ECDSA', namedCurve },
  scheme: { name: 'ECDSA', curve: namedCurve, hash },
});
const KINDS: readonly Kind[] = [
  {
    algorithm: 'RS256',
    parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    scheme: { name: 'RSA', hash: 'SHA-256' },
  },
  curve('ES256', 'P-256', 'SHA-256'),
  curve('ES384', 'P-384', 'SHA-384'),
  curve('ES512', 'P-521', 'SHA-512'),
];

/**
 * Returns all keys of a PEM text, in order: RSA, P-256, P-384 and P-521 keys from private keys, public keys and certificates. Other blocks
 * are skipped (spec 14.12).
 * @throws TypeError when the text contains no key.
 */
export async function loadKeys(pem: string, signatures: Signatures = systemSignatures): Promise<readonly TokenKey[]> {
  const keys = await Promise.all(decodePem(pem).map((block) => readBlock(block, signatures)));
  const readable = keys.filter((key) => key !== undefined);
  if (readable.length === 0) throw new TypeError('data does not contain any valid RSA or ECDSA public keys');
  return readable;
}

/**
 * Returns the first private key of a PEM text that can sign tokens.
 * @throws TypeError when the text contains no such key.
 */
export async function loadSigningKey(pem: string, signatures: Signatures = systemSignatures): Promise<SigningTokenKey> {
  for (const block of decodePem(pem)) {
    const key = privateKeyLabels.includes(block.label) ? await readPrivate(block, signatures) : undefined;
    if (key) return key;
  }
  throw new TypeError('data does not contain a valid RSA or ECDSA private key');
}

async function readBlock(block: PemBlock, signatures: Signatures): Promise<TokenKey | undefined> {
  if (privateKeyLabels.includes(block.label)) return await readPrivate(block, signatures);
  if (block.label === 'PUBLIC KEY') return await readPublic(block.bytes, signatures);
  try {
    if (block.label === 'CERTIFICATE')
      return await readPublic((await parseCertificate(block.bytes)).publicKey, signatures);
    if (block.label === 'RSA PUBLIC KEY') return await readPublic(toPublicKeyInfo(block.bytes), signatures);
  } catch {
    // A broken block counts as a block without a key.
  }
  return undefined;
}

async function readPrivate(block: PemBlock, signatures: Signatures): Promise<SigningTokenKey | undefined> {
  for (const kind of KINDS) {
    try {
      const pkcs8 = Uint8Array.from(toPkcs8(block.label, block.bytes));
      const readable = await crypto.subtle.importKey('pkcs8', pkcs8, kind.parameters, true, ['sign']);
      // The key that the signer holds cannot be exported, so the public half is read from a second import.
      const signer = await signatures.signer(kind.scheme, pkcs8);
      return { ...(await describe(readable, kind, signatures)), signer };
    } catch {
      // The key is not of this kind, so the next kind is tried.
    }
  }
  return undefined;
}

/** Returns the key in a SubjectPublicKeyInfo; undefined for a kind of key that cannot sign tokens. */
export async function readPublic(spki: Uint8Array, signatures: Signatures): Promise<TokenKey | undefined> {
  for (const kind of KINDS) {
    try {
      const key = await crypto.subtle.importKey('spki', Uint8Array.from(spki), kind.parameters, true, ['verify']);
      return await describe(key, kind, signatures);
    } catch {
      // The key is not of this kind, so the next kind is tried.
    }
  }
  return undefined;
}

/** Returns the public half of an exportable key, with its name and algorithm. */
async function describe(
  key: CryptoKey,
  { algorithm, parameters }: Kind,
  signatures: Signatures,
): Promise<Omit<TokenKey, 'signer'>> {
  const publicJwk = publicPart(await crypto.subtle.exportKey('jwk', key));
  // The public half is exported as a JWK and imported again, because the point of an imported key may be compressed, and a JWK has both
  // coordinates.
  const publicHalf = await crypto.subtle.importKey('jwk', publicJwk, parameters, true, ['verify']);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('spki', publicHalf));
  return { kid: encodeBase64Url(await signatures.digest('SHA-256', publicKey)), algorithm, publicJwk, publicKey };
}

function publicPart({ kty, n = '', e = '', crv = '', x = '', y = '' }: JsonWebKey): PublicJwk {
  return kty === 'RSA' ? { kty, n, e } : { kty: 'EC', crv, x, y };
}
