import type { Random } from '../meta/random.js';
import type { Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { buildCertificate } from './build-certificate.js';
import type { KeyUsage } from './certificate.js';
import { derTag, expectTag, readBitString, readElements, readWhole } from './der/reader.js';
import type { GeneralNames } from './names/general-names.js';
import type { SigningKey } from './private-key.js';

/** The varying content of an authority's certificate. */
export interface AuthorityContent {
  /** Big-endian, positive. */
  readonly serial: Uint8Array;
  /** Name, DER. */
  readonly name: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
}

const USES: readonly KeyUsage[] = ['digitalSignature', 'keyEncipherment', 'keyCertSign'];

const NO_NAMES: GeneralNames = { dns: [], email: [], ip: [], uri: [] };

/** Builds an authority's self-signed certificate and returns its DER. */
export async function buildSelfSigned(
  { name, ...content }: AuthorityContent,
  signer: SigningKey,
  signatures: Signatures = systemSignatures,
): Promise<Uint8Array> {
  const keyId = await keyIdentifier(content.publicKey, signatures);
  return await buildCertificate(
    {
      ...content,
      issuer: name,
      subject: name,
      keyUsage: USES,
      extendedKeyUsage: [],
      subjectAltNames: NO_NAMES,
      subjectKeyId: keyId,
      authorityKeyId: keyId,
      isAuthority: true,
    },
    signer,
  );
}

/** Returns the identifier of a public key: 20 bytes of the SHA-256 of its bits (RFC 7093, method 1). */
export async function keyIdentifier(
  publicKey: Uint8Array,
  signatures: Signatures = systemSignatures,
): Promise<Uint8Array> {
  const bits = readBitString(expectTag(readElements(readWhole(publicKey, derTag.sequence))[1], derTag.bitString));
  return (await signatures.digest('SHA-256', bits)).subarray(0, 20);
}

/** Returns 127 random bits, as a positive number of fixed length. */
export function serialNumber(random: Random): Uint8Array {
  const bytes = random.fill(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
