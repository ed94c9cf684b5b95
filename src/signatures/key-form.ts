import type { Curve, GeneratedKey, SignatureScheme } from './signatures.js';

/** The DER bytes that precede the public point in the SubjectPublicKeyInfo of a curve, and the size of one coordinate in bytes. */
const CURVES: Readonly<Record<Curve, { readonly prefix: Uint8Array; readonly size: number }>> = {
  'P-256': { prefix: bytes('3059301306072a8648ce3d020106082a8648ce3d030107034200'), size: 32 },
  'P-384': { prefix: bytes('3076301006072a8648ce3d020106052b81040022036200'), size: 48 },
  'P-521': { prefix: bytes('30819b301006072a8648ce3d020106052b8104002303818600'), size: 66 },
};
const UNCOMPRESSED = 4;

/**
 * Checks that the public key of a curve has the only form that upstream accepts: an uncompressed point with nothing after it. Runtimes
 * differ in how they read other forms, and some versions of Node crash on the point at infinity.
 * @throws TypeError for any other form
 */
export function checkKeyForm(scheme: SignatureScheme, publicKey: Uint8Array): void {
  if (scheme.name !== 'ECDSA') return;
  const { prefix, size } = CURVES[scheme.curve];
  const fits =
    publicKey.length === prefix.length + 1 + 2 * size &&
    publicKey[prefix.length] === UNCOMPRESSED &&
    prefix.every((byte, i) => byte === publicKey[i]);
  if (!fits) throw wrongKey(scheme);
}

/**
 * Returns whether a signature has the only length that its scheme allows. For RSA it is the length of the modulus (RFC 8017, 8.1.2 and
 * 8.2.2). Runtimes do not enforce this length: they accept a PSS signature without its leading zero.
 * @param modulusBits the length of an RSA key in bits
 */
export function fitsScheme(scheme: SignatureScheme, signature: Uint8Array, modulusBits: number | undefined): boolean {
  if (scheme.name === 'ECDSA') return signature.length === 2 * CURVES[scheme.curve].size;
  if (scheme.name === 'Ed25519') return signature.length === 64;
  return modulusBits !== undefined && signature.length === Math.ceil(modulusBits / 8);
}

/** The DER bytes of a P-256 PrivateKeyInfo before the private scalar. */
const P256_SECRET = bytes('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420');
/** The DER bytes of a P-256 PrivateKeyInfo between the private scalar and the public point. */
const P256_POINT = bytes('a144034200');

/**
 * Returns a P-256 key pair in DER, with the same bytes that OpenSSL writes.
 * @param secret the private scalar, 32 bytes
 * @param x the first coordinate of the public point, 32 bytes
 * @param y the second coordinate of the public point, 32 bytes
 */
export function p256Key(secret: Uint8Array, x: Uint8Array, y: Uint8Array): GeneratedKey {
  const point = [UNCOMPRESSED, ...x, ...y];
  return {
    pkcs8: Uint8Array.of(...P256_SECRET, ...secret, ...P256_POINT, ...point),
    spki: Uint8Array.of(...CURVES['P-256'].prefix, ...point),
  };
}

export function wrongKey({ name }: SignatureScheme): TypeError {
  return new TypeError(`not a key for ${name}`);
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
