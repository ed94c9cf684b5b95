import type { Curve, SignatureScheme, Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import type { Certificate } from './certificate.js';
import {
  type DerElement,
  derTag,
  expectTag,
  readElements,
  readInteger,
  readOid,
  readSmallInteger,
  readWhole,
} from './der/reader.js';

/** Signed content: a certificate or a certificate request. */
export interface SignedData {
  /** The signed bytes. */
  readonly tbs: Uint8Array;
  /** The signature's AlgorithmIdentifier, DER. */
  readonly signatureAlgorithm: Uint8Array;
  /** The signature. */
  readonly signature: Uint8Array;
}

/** An object that contains a public key. */
export interface KeyHolder {
  /** The SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
}

type Hash = 'SHA-256' | 'SHA-384' | 'SHA-512';
type Method =
  | { readonly kind: 'RSA'; readonly hash: Hash | 'SHA-1' }
  | { readonly kind: 'RSAPSS' }
  | { readonly kind: 'ECDSA'; readonly hash: Hash | 'SHA-1' }
  | { readonly kind: 'Ed25519' }
  | {
      readonly kind: 'insecure';
      readonly text: string;
      readonly method?: Exclude<Method, { readonly kind: 'insecure' }>;
    };

const RSA = '1.2.840.113549.1.1';
const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    [`${RSA}.2`]: { kind: 'insecure', text: 'MD2-RSA' },
    [`${RSA}.4`]: { kind: 'insecure', text: 'MD5-RSA' },
    [`${RSA}.5`]: { kind: 'insecure', text: 'SHA1-RSA', method: { kind: 'RSA', hash: 'SHA-1' } },
    [`${RSA}.10`]: { kind: 'RSAPSS' },
    [`${RSA}.11`]: { kind: 'RSA', hash: 'SHA-256' },
    [`${RSA}.12`]: { kind: 'RSA', hash: 'SHA-384' },
    [`${RSA}.13`]: { kind: 'RSA', hash: 'SHA-512' },
    '1.2.840.10045.4.1': { kind: 'insecure', text: 'ECDSA-SHA1', method: { kind: 'ECDSA', hash: 'SHA-1' } },
    '1.2.840.10045.4.3.2': { kind: 'ECDSA', hash: 'SHA-256' },
    '1.2.840.10045.4.3.3': { kind: 'ECDSA', hash: 'SHA-384' },
    '1.2.840.10045.4.3.4': { kind: 'ECDSA', hash: 'SHA-512' },
    '1.3.101.112': { kind: 'Ed25519' },
  } satisfies Record<string, Method>),
);
/** Object identifiers of the public keys' algorithms. */
const KEY_OIDS = { RSA: `${RSA}.1`, RSAPSS: `${RSA}.1`, ECDSA: '1.2.840.10045.2.1', Ed25519: '1.3.101.112' } as const;
const HASHES: ReadonlyMap<string, Hash> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'SHA-256'],
  ['2.16.840.1.101.3.4.2.2', 'SHA-384'],
  ['2.16.840.1.101.3.4.2.3', 'SHA-512'],
]);
/** The named curves and the size of one coordinate in bytes. */
const CURVES: ReadonlyMap<string, { readonly name: Curve; readonly size: number }> = new Map([
  ['1.2.840.10045.3.1.7', { name: 'P-256', size: 32 }],
  ['1.3.132.0.34', { name: 'P-384', size: 48 }],
  ['1.3.132.0.35', { name: 'P-521', size: 66 }],
]);

/** The maximum size of a public key in bytes. Larger keys (more than 8192 bits of RSA) cost too much to check for an unknown peer. */
const MAX_KEY_BYTES = 1100;

/** Options for checking a signature. */
export interface SignatureOptions {
  /**
   * Whether signatures over SHA-1 are accepted. Only a signature that does nothing but prove possession of the private key may be checked
   * with this option. Default false.
   */
  readonly allowSha1?: boolean;
  /** Checks the signature. Default: the runtime's cryptography. */
  readonly signatures?: Signatures;
}

/** The reason why a signature is not accepted, with Go's message. */
class SignatureError extends Error {}
const unimplementedError = () => new SignatureError('x509: cannot verify signature: algorithm unimplemented');

/** Returns the salt length in bytes, which is the length of the hash. */
const saltLength = (hash: Hash) => Number(hash.slice(4)) / 8;

/**
 * Returns the hash of RSASSA-PSS parameters. Parameters are supported only if they name the same hash for the message and the mask, and a
 * salt as long as the hash.
 */
function pssHash(parameters: DerElement | undefined): Hash {
  const fields = new Map(readElements(expectTag(parameters, derTag.sequence)).map((e) => [e.tag, e.content]));
  const field = (number: number, tag: number) =>
    readWhole(fields.get(derTag.constructed(number)) ?? new Uint8Array(), tag);
  const hashOf = (algorithm: Uint8Array) => readOid(expectTag(readElements(algorithm)[0], derTag.oid));
  const outer = hashOf(field(0, derTag.sequence));
  const inner = hashOf(expectTag(readElements(field(1, derTag.sequence))[1], derTag.sequence));
  const hash = HASHES.get(outer);
  if (hash === undefined || inner !== outer || readSmallInteger(field(2, derTag.integer)) !== saltLength(hash))
    throw unimplementedError();
  return hash;
}

const FAILED: Readonly<Record<Exclude<Method['kind'], 'insecure'>, string>> = {
  RSA: 'crypto/rsa: verification error',
  RSAPSS: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
};

/** Converts an ECDSA signature from DER to the fixed-length form that {@link Signatures} takes. */
function plainSignature(der: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size * 2);
  const numbers = readElements(readWhole(der, derTag.sequence));
  if (numbers.length !== 2) throw new SignatureError(FAILED.ECDSA);
  for (const [i, number] of numbers.entries()) {
    const content = expectTag(number, derTag.integer);
    const bytes = content[0] === 0 ? content.subarray(1) : content;
    if (readInteger(content) <= 0n || bytes.length > size) throw new SignatureError(FAILED.ECDSA);
    out.set(bytes, (i + 1) * size - bytes.length);
  }
  return out;
}

/** Returns the algorithm of a public key and its parameters. */
function keyAlgorithm({ publicKey }: KeyHolder): { oid: string; parameters: DerElement | undefined } {
  const [algorithm] = readElements(readWhole(publicKey, derTag.sequence));
  const [id, parameters] = readElements(expectTag(algorithm, derTag.sequence));
  return { oid: readOid(expectTag(id, derTag.oid)), parameters };
}

/** Checks a signature. @throws SignatureError when the signature was not made with the parent's key. */
async function verify(
  child: SignedData,
  parent: KeyHolder,
  { allowSha1 = false, signatures = systemSignatures }: SignatureOptions,
): Promise<void> {
  const [id, parameters] = readElements(readWhole(child.signatureAlgorithm, derTag.sequence));
  const entry = METHODS.get(readOid(expectTag(id, derTag.oid)));
  if (!entry || parent.publicKey.length > MAX_KEY_BYTES) throw unimplementedError();
  const method = entry.kind !== 'insecure' ? entry : allowSha1 ? entry.method : undefined;
  if (!method)
    throw new SignatureError(`x509: cannot verify signature: insecure algorithm ${'text' in entry ? entry.text : ''}`);
  const parentKey = keyAlgorithm(parent);
  if (parentKey.oid !== KEY_OIDS[method.kind])
    throw new SignatureError(
      `x509: signature algorithm specifies an ${method.kind} public key, but have a key of another type`,
    );
  const [scheme, signature] = schemeOf(method, parameters, parentKey.parameters, child.signature);
  if (!(await signatures.verify(scheme, parent.publicKey, signature, child.tbs)))
    throw new SignatureError(FAILED[method.kind]);
}

/**
 * Returns the signature scheme that the signature's algorithm and the public key determine, and the signature in the form that {@link
 * Signatures} takes.
 */
function schemeOf(
  method: Exclude<Method, { readonly kind: 'insecure' }>,
  parameters: DerElement | undefined,
  keyParameters: DerElement | undefined,
  signature: Uint8Array,
): readonly [SignatureScheme, Uint8Array] {
  if (method.kind === 'RSA') return [{ name: 'RSA', hash: method.hash }, signature];
  if (method.kind === 'RSAPSS') return [{ name: 'RSA-PSS', hash: pssHash(parameters) }, signature];
  if (method.kind === 'Ed25519') return [{ name: 'Ed25519' }, signature];
  const curve = CURVES.get(readOid(expectTag(keyParameters, derTag.oid)));
  if (!curve) throw unimplementedError();
  return [{ name: 'ECDSA', curve: curve.name, hash: method.hash }, plainSignature(signature, curve.size)];
}

/**
 * Checks that `parent` signed `child` and may sign certificates.
 * @returns Go's error message, or undefined if the check succeeds.
 */
export async function signatureProblem(
  child: Certificate,
  parent: Certificate,
  signatures?: Signatures,
): Promise<string | undefined> {
  const mayNotSign =
    (parent.version === 3 && !parent.basicConstraints) ||
    parent.basicConstraints?.ca === false ||
    (parent.keyUsage !== undefined && parent.keyUsage.length > 0 && !parent.keyUsage.includes('keyCertSign'));
  if (mayNotSign) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  return keySignatureProblem(child, parent, signatures ? { signatures } : {});
}

/**
 * Checks that a key signed some data.
 * @returns Go's error message, or undefined if the check succeeds.
 */
export async function keySignatureProblem(
  data: SignedData,
  signer: KeyHolder,
  options: SignatureOptions = {},
): Promise<string | undefined> {
  try {
    await verify(data, signer, options);
    return undefined;
  } catch (error) {
    // The errors for malformed keys and parameters depend on the runtime, so they are replaced by one message.
    return error instanceof SignatureError ? error.message : 'x509: malformed signature or key';
  }
}
