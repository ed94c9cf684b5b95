import { encodeBase64Url } from '../meta/base64url.js';
import { parseCertificate } from '../pki/certificate.js';
import { decodePem, type PemBlock } from '../pki/pem.js';
import { privateKeyLabels, toPkcs8, toPublicKeyInfo } from '../pki/private-key.js';

/** How tokens of a key are signed: RSA always with SHA-256, a curve with its own hash (gap file identity, 2.2.7). */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** The public half as a JSON Web Key, without use or name. */
export type PublicJwk =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: string; readonly x: string; readonly y: string };

/** A key that signs or verifies tokens. */
export interface TokenKey {
  /** base64url of the SHA-256 of the public key's SubjectPublicKeyInfo, unless named otherwise. */
  readonly kid: string;
  readonly algorithm: TokenAlgorithm;
  readonly publicJwk: PublicJwk;
  /** Absent for a key that only verifies. */
  readonly privateKey?: CryptoKey;
}

interface Kind {
  readonly algorithm: TokenAlgorithm;
  readonly parameters: EcKeyImportParams | RsaHashedImportParams;
}
const KINDS: readonly Kind[] = [
  { algorithm: 'RS256', parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } },
  { algorithm: 'ES256', parameters: { name: 'ECDSA', namedCurve: 'P-256' } },
  { algorithm: 'ES384', parameters: { name: 'ECDSA', namedCurve: 'P-384' } },
  { algorithm: 'ES512', parameters: { name: 'ECDSA', namedCurve: 'P-521' } },
];

/**
 * All keys of a PEM text, in order: private and public keys and certificates, RSA or P-256, P-384, P-521. Other blocks are
 * passed over (gap file auth, 5.2.7).
 * @throws TypeError when there is none.
 */
export async function loadKeys(pem: string): Promise<readonly TokenKey[]> {
  const keys = await Promise.all(decodePem(pem).map(readBlock));
  const found = keys.filter((key) => key !== undefined);
  if (found.length === 0) throw new TypeError('data does not contain any valid RSA or ECDSA public keys');
  return found;
}

/**
 * The first private key of a PEM text.
 * @throws TypeError when there is none that can sign tokens.
 */
export async function loadSigningKey(pem: string): Promise<TokenKey & { readonly privateKey: CryptoKey }> {
  for (const block of decodePem(pem)) {
    const key = privateKeyLabels.includes(block.label) ? await readPrivate(block) : undefined;
    if (key) return key;
  }
  throw new TypeError('data does not contain a valid RSA or ECDSA private key');
}

async function readBlock(block: PemBlock): Promise<TokenKey | undefined> {
  if (privateKeyLabels.includes(block.label)) return await readPrivate(block);
  if (block.label === 'PUBLIC KEY') return await readPublic(block.bytes);
  try {
    if (block.label === 'CERTIFICATE') return await readPublic((await parseCertificate(block.bytes)).publicKey);
    if (block.label === 'RSA PUBLIC KEY') return await readPublic(toPublicKeyInfo(block.bytes));
  } catch {
    // A broken block is no key.
  }
  return undefined;
}

async function readPrivate(block: PemBlock): Promise<(TokenKey & { readonly privateKey: CryptoKey }) | undefined> {
  for (const kind of KINDS) {
    try {
      const pkcs8 = Uint8Array.from(toPkcs8(block.label, block.bytes));
      const readable = await crypto.subtle.importKey('pkcs8', pkcs8, kind.parameters, true, ['sign']);
      const jwk = publicPart(await crypto.subtle.exportKey('jwk', readable));
      const publicKey = await crypto.subtle.importKey('jwk', jwk, kind.parameters, true, ['verify']);
      // What stays in memory cannot be read out again.
      const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, kind.parameters, false, ['sign']);
      return { ...(await describe(publicKey, jwk, kind.algorithm)), privateKey };
    } catch {
      // Not of this kind.
    }
  }
  return undefined;
}

async function readPublic(spki: Uint8Array): Promise<TokenKey | undefined> {
  for (const kind of KINDS) {
    try {
      const key = await crypto.subtle.importKey('spki', Uint8Array.from(spki), kind.parameters, true, ['verify']);
      return await describe(key, publicPart(await crypto.subtle.exportKey('jwk', key)), kind.algorithm);
    } catch {
      // Not of this kind.
    }
  }
  return undefined;
}

async function describe(publicKey: CryptoKey, publicJwk: PublicJwk, algorithm: TokenAlgorithm): Promise<TokenKey> {
  const digest = await crypto.subtle.digest('SHA-256', await crypto.subtle.exportKey('spki', publicKey));
  return { kid: encodeBase64Url(new Uint8Array(digest)), algorithm, publicJwk };
}

function publicPart({ kty, n = '', e = '', crv = '', x = '', y = '' }: JsonWebKey): PublicJwk {
  return kty === 'RSA' ? { kty, n, e } : { kty: 'EC', crv, x, y };
}
