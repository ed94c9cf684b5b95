import type { Random } from '../meta/random.js';
import type { Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { extensionOid, type KeyUsage, keyUsages } from './certificate.js';
import { derTag, expectTag, readBitString, readElements, readWhole } from './der/reader.js';
import {
  bitString,
  boolean,
  element,
  integer,
  namedBits,
  octetString,
  oid,
  sequence,
  tagged,
  time,
} from './der/writer.js';
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

/**
 * Builds an authority's self-signed certificate and returns its DER. Every server makes one when it starts, so this avoids loading the
 * packages that read and build other certificates.
 */
export async function buildSelfSigned(
  content: AuthorityContent,
  signer: SigningKey,
  signatures: Signatures = systemSignatures,
): Promise<Uint8Array> {
  const { serial, name, notBefore, notAfter, publicKey } = content;
  const keyId = await keyIdentifier(publicKey, signatures);
  const tbs = sequence(
    tagged(0, integer(Uint8Array.of(2))),
    integer(serial),
    signer.algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey,
    tagged(
      3,
      sequence(
        extension(extensionOid.keyUsage, true, namedBits(USES.map((use) => keyUsages.indexOf(use)))),
        extension(extensionOid.basicConstraints, true, sequence(boolean(true))),
        extension(extensionOid.subjectKeyId, false, octetString(keyId)),
        extension(extensionOid.authorityKeyId, false, sequence(element(derTag.context(0), keyId))),
      ),
    ),
  );
  return sequence(tbs, signer.algorithm, bitString(await signer.sign(tbs)));
}

/** Returns an extension with a value in DER. */
export function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
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
