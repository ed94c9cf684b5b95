import type { SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { DerError, derTag, expectTag, readElements, readOid, readWhole } from './der/reader.js';

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const ED25519 = '1.3.101.112';
const X25519 = '1.3.101.110';

/** The size of a coordinate in bytes, by the object identifier of the curve. */
const CURVES: ReadonlyMap<string, number> = new Map([
  ['1.3.132.0.33', 28],
  ['1.2.840.10045.3.1.7', 32],
  ['1.3.132.0.34', 48],
  ['1.3.132.0.35', 66],
]);
const EDWARDS_BYTES = 32;
const UNCOMPRESSED = 4;
/**
 * The maximum size of an RSA exponent in bytes. Larger exponents would make signatures expensive to check. Because the highest bit is the
 * sign, the exponent is below 2^31, as Go requires.
 */
const EXPONENT_BYTES = 4;

/**
 * Refuses the public keys that Go refuses to parse, with Go's messages. Whether a point lies on its curve is checked only when the key is
 * used. Keys of unknown kinds are accepted. @throws DerError
 */
export function checkPublicKey({ algorithm, subjectPublicKey }: SubjectPublicKeyInfo): void {
  const bits = new Uint8Array(subjectPublicKey);
  const parameters = algorithm.parameters;
  if (algorithm.algorithm === RSA) {
    if (parameters !== null) throw new DerError('x509: RSA key missing NULL parameters');
    checkRsaKey(bits);
  } else if (algorithm.algorithm === EC) {
    if (!parameters) throw new DerError('x509: invalid ECDSA parameters');
    checkPoint(bits, readOid(readWhole(new Uint8Array(parameters), derTag.oid)));
  } else if (algorithm.algorithm === ED25519 || algorithm.algorithm === X25519) {
    const name = algorithm.algorithm === ED25519 ? 'Ed25519' : 'X25519';
    if (parameters !== undefined) throw new DerError(`x509: ${name} key encoded with illegal parameters`);
    if (bits.length !== EDWARDS_BYTES) throw new DerError(`x509: wrong ${name} public key size`);
  }
}

function checkRsaKey(bits: Uint8Array): void {
  const [modulus, exponent, ...extra] = readElements(readWhole(bits, derTag.sequence));
  const isPositive = (bytes: Uint8Array) => bytes.some((byte) => byte !== 0) && (bytes[0] ?? 0) < 0x80;
  if (extra.length > 0) throw new DerError('x509: invalid RSA public key');
  if (!isPositive(expectTag(modulus, derTag.integer))) throw new DerError('x509: RSA modulus is not a positive number');
  const bytes = expectTag(exponent, derTag.integer);
  if (bytes.length > EXPONENT_BYTES) throw new DerError('x509: invalid RSA public exponent');
  if (!isPositive(bytes)) throw new DerError('x509: RSA public exponent is not a positive number');
}

function checkPoint(bits: Uint8Array, curve: string): void {
  const size = CURVES.get(curve);
  if (size === undefined) throw new DerError('x509: unsupported elliptic curve');
  if (bits[0] !== UNCOMPRESSED || bits.length !== 1 + 2 * size)
    throw new DerError('x509: failed to unmarshal elliptic curve point');
}
