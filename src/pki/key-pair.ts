import {
  DerError,
  derTag,
  expectTag,
  readBitString,
  readElements,
  readOid,
  readWhole,
  sameBytes,
} from './der/reader.js';
import { decodePem } from './pem.js';

/**
 * The algorithm of a public or private key, and the bytes that both keys of a pair contain: the modulus for RSA, and the public key
 * otherwise. They are absent for private keys that do not contain the public key.
 */
interface Half {
  readonly algorithm: string;
  readonly shared?: Uint8Array;
}

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const X25519 = '1.3.101.110';
const KNOWN = [RSA, EC, '1.3.101.112'];
const CERTIFICATE = 'CERTIFICATE';

/**
 * Returns why a TLS server could not use a certificate and a private key (both PEM) as a pair, with Go's message; undefined if it could.
 */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const blocks = decodePem(certificate);
  const certificateBlock = blocks.find(({ label }) => label === CERTIFICATE);
  if (!certificateBlock) return `tls: failed to find ${certificateMissing(blocks.map(({ label }) => label))}`;
  const keys = decodePem(key);
  const secret = keys.find(({ label }) => label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY'));
  if (!secret) return `tls: ${keyMissing(keys.map(({ label }) => label))}`;
  const publicHalf = halfOf(() => certifiedKey(certificateBlock.bytes));
  if (!publicHalf) return 'x509: malformed certificate';
  const privateHalf = halfOf(() => privateKey(secret.bytes));
  if (privateHalf?.algorithm === X25519) return 'tls: found unknown private key type in PKCS#8 wrapping';
  if (!privateHalf || !KNOWN.includes(privateHalf.algorithm)) return 'tls: failed to parse private key';
  if (!KNOWN.includes(publicHalf.algorithm)) return 'tls: unknown public key algorithm';
  if (publicHalf.algorithm !== privateHalf.algorithm) return 'tls: private key type does not match public key type';
  const [one, other] = [publicHalf.shared, privateHalf.shared];
  return one && other && !sameBytes(one, other) ? 'tls: private key does not match public key' : undefined;
}

function certificateMissing(labels: readonly string[]): string {
  if (labels.length === 0) return 'any PEM data in certificate input';
  if (labels.length === 1 && labels[0]?.endsWith('PRIVATE KEY'))
    return 'certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `"${CERTIFICATE}" PEM block in certificate input after skipping PEM blocks of the following types: [${labels.join(' ')}]`;
}

function keyMissing(labels: readonly string[]): string {
  if (labels.length === 0) return 'failed to find any PEM data in key input';
  if (labels.length === 1 && labels[0] === CERTIFICATE)
    return 'found a certificate rather than a key in the PEM for the private key';
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${labels.join(' ')}]`;
}

function halfOf(read: () => Half): Half | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

const elementsOf = (bytes: Uint8Array) => readElements(readWhole(bytes, derTag.sequence));
const algorithmOf = (identifier: Uint8Array) => readOid(expectTag(readElements(identifier)[0], derTag.oid));

/** Reads the public key of a certificate. It is the sixth field after the version. */
function certifiedKey(certificate: Uint8Array): Half {
  const fields = readElements(expectTag(elementsOf(certificate)[0], derTag.sequence));
  const info = fields[fields[0]?.tag === derTag.constructed(0) ? 6 : 5];
  const [identifier, bits] = readElements(expectTag(info, derTag.sequence));
  const algorithm = algorithmOf(expectTag(identifier, derTag.sequence));
  const key = readBitString(expectTag(bits, derTag.bitString));
  return { algorithm, shared: algorithm === RSA ? expectTag(elementsOf(key)[0], derTag.integer) : key };
}

/** Reads a private key in PKCS #1, PKCS #8 or SEC 1 form. The form is determined from the content, not from the PEM label. */
function privateKey(bytes: Uint8Array): Half {
  const [version, second, third] = elementsOf(bytes);
  expectTag(version, derTag.integer);
  if (second?.tag !== derTag.sequence) return plainKey(bytes);
  const algorithm = algorithmOf(second.content);
  const inner = expectTag(third, derTag.octetString);
  return algorithm === RSA || algorithm === EC ? plainKey(inner) : { algorithm };
}

/** Reads a private key in PKCS #1 or SEC 1 form, that is, one that is not wrapped in PKCS #8. */
function plainKey(bytes: Uint8Array): Half {
  const fields = elementsOf(bytes);
  const [, second] = fields;
  if (second?.tag === derTag.integer) return { algorithm: RSA, shared: second.content };
  expectTag(second, derTag.octetString);
  const point = fields.find(({ tag }) => tag === derTag.constructed(1))?.content;
  return { algorithm: EC, ...(point ? { shared: readBitString(readWhole(point, derTag.bitString)) } : {}) };
}
