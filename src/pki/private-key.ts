import type { Curve, Hash, RuntimeKey, SignatureScheme, Signatures, Signer } from '../signatures/signatures.js';
import { generateSystemKey, systemSignatures } from '../signatures/system-signatures.js';
import { derTag, expectTag, readElements, readWhole } from './der/reader.js';
import { bitString, integer, octetString, oid, sequence } from './der/writer.js';
import { decodePem, encodePem } from './pem.js';

/** A private key that signs certificates. */
export interface SigningKey {
  /** The AlgorithmIdentifier of the key's signatures, DER. */
  readonly algorithm: Uint8Array;
  /** Signs data and returns the signature in the form that certificates contain. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

const RSA = '1.2.840.113549.1.1';
const EC_KEY = oid('1.2.840.10045.2.1');
const NULL = new Uint8Array([derTag.null, 0]);

interface Kind {
  readonly scheme: SignatureScheme;
  readonly algorithm: Uint8Array;
}
const ecdsa = (curve: Curve, hash: Hash, algorithm: string): Kind => ({
  scheme: { name: 'ECDSA', curve, hash },
  algorithm: sequence(oid(algorithm)),
});
const P256 = ecdsa('P-256', 'SHA-256', '1.2.840.10045.4.3.2');

/** The kinds of keys, in the order in which they are tried. A key can be imported only as its own kind. */
const KINDS: readonly Kind[] = [
  P256,
  { scheme: { name: 'RSA', hash: 'SHA-256' }, algorithm: sequence(oid(`${RSA}.11`), NULL) },
  ecdsa('P-384', 'SHA-384', '1.2.840.10045.4.3.3'),
  ecdsa('P-521', 'SHA-512', '1.2.840.10045.4.3.4'),
  { scheme: { name: 'Ed25519' }, algorithm: sequence(oid('1.3.101.112')) },
];

function signingKey(signer: Signer, { scheme, algorithm }: Kind): SigningKey {
  return {
    algorithm,
    async sign(data) {
      const plain = await signer.sign(data);
      if (scheme.name !== 'ECDSA') return plain;
      const half = plain.length / 2;
      return sequence(integer(plain.subarray(0, half)), integer(plain.subarray(half)));
    },
  };
}

/**
 * Wraps a private key in PKCS #1 or SEC 1 form (by PEM label) in a PKCS #8 frame, because PKCS #8 is the only form that every runtime
 * reads.
 * @throws DerError for a broken SEC 1 key.
 */
export function toPkcs8(label: string, bytes: Uint8Array): Uint8Array {
  if (label === 'RSA PRIVATE KEY')
    return sequence(integer(new Uint8Array(1)), sequence(oid(`${RSA}.1`), NULL), octetString(bytes));
  if (label !== 'EC PRIVATE KEY') return bytes;
  const [version, secret, ...rest] = readElements(readWhole(bytes, derTag.sequence));
  const curve = expectTag(rest[0], derTag.constructed(0));
  const publicKey = rest.find((e) => e.tag === derTag.constructed(1));
  const inner = [version, secret, publicKey].flatMap((e) => e?.raw ?? []);
  return sequence(integer(new Uint8Array(1)), sequence(EC_KEY, curve), octetString(sequence(...inner)));
}

/** Wraps an RSA public key in PKCS #1 form in a SubjectPublicKeyInfo. */
export function toPublicKeyInfo(pkcs1: Uint8Array): Uint8Array {
  return sequence(sequence(oid(`${RSA}.1`), NULL), bitString(pkcs1));
}

/** PEM labels of private keys that can be read. */
export const privateKeyLabels: readonly string[] = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'];

/**
 * Reads the first private key of a PEM text: RSA, P-256, P-384, P-521 or Ed25519, in PKCS #8, PKCS #1 or SEC 1, not encrypted.
 * @throws TypeError when the text contains no such key.
 */
export async function importPrivateKey(pem: string, signatures: Signatures = systemSignatures): Promise<SigningKey> {
  const block = decodePem(pem).find(({ label }) => privateKeyLabels.includes(label));
  if (!block) throw new TypeError('no private key in PEM form found');
  const pkcs8 = Uint8Array.from(toPkcs8(block.label, block.bytes));
  for (const kind of KINDS) {
    try {
      return signingKey(await signatures.signer(kind.scheme, pkcs8), kind);
    } catch {
      // The key is not of this kind, so the next kind is tried.
    }
  }
  throw new TypeError('the private key has an unsupported type, or is encrypted');
}

/**
 * Generates a P-256 key pair: the private key as PKCS #8 PEM and as a signing key, the public key as SubjectPublicKeyInfo.
 * @param purpose as for {@link Signatures.generateKey}.
 */
export async function generateKey(
  signatures: Signatures = systemSignatures,
  purpose = 'key',
): Promise<{
  readonly pem: string;
  readonly signing: SigningKey;
  readonly publicKey: Uint8Array;
}> {
  const { pkcs8, spki, signer }: RuntimeKey = await (signatures.generateKey?.(purpose) ?? generateSystemKey());
  // Another implementation of signatures must read the key itself, because it may sign differently than the runtime.
  const ready = signatures === systemSignatures ? signer : undefined;
  return {
    pem: encodePem('PRIVATE KEY', pkcs8),
    signing: signingKey(ready ?? (await signatures.signer(P256.scheme, pkcs8)), P256),
    publicKey: spki,
  };
}
