import type { Random } from '../meta/random.js';
import { extensionOid, type KeyUsage, keyUsages } from './certificate.js';
import { derTag, expectTag, readBitString, readElements, readWhole } from './der-reader.js';
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
} from './der-writer.js';
import type { SigningKey } from './private-key.js';

/** Everything a certificate will say. */
export interface CertificateContent {
  /** Big-endian, not negative. */
  readonly serial: Uint8Array;
  /** Names, DER. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly ca: boolean;
  readonly keyUsage: readonly KeyUsage[];
  /** Object identifiers; none: no extension, any use. */
  readonly extendedKeyUsage: readonly string[];
  /** General names, DER; none: no extension. */
  readonly subjectAltNames: readonly Uint8Array[];
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
}

function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function extensions(content: CertificateContent): Uint8Array[] {
  const { ca, keyUsage, extendedKeyUsage, subjectAltNames, subjectKeyId, authorityKeyId } = content;
  const list: Uint8Array[] = [];
  if (keyUsage.length > 0)
    list.push(extension(extensionOid.keyUsage, true, namedBits(keyUsage.map((use) => keyUsages.indexOf(use)))));
  if (extendedKeyUsage.length > 0)
    list.push(extension(extensionOid.extendedKeyUsage, false, sequence(...extendedKeyUsage.map(oid))));
  list.push(extension(extensionOid.basicConstraints, true, sequence(...(ca ? [boolean(true)] : []))));
  if (subjectKeyId) list.push(extension(extensionOid.subjectKeyId, false, octetString(subjectKeyId)));
  if (authorityKeyId)
    list.push(extension(extensionOid.authorityKeyId, false, sequence(element(derTag.context(0), authorityKeyId))));
  if (subjectAltNames.length > 0)
    list.push(extension(extensionOid.subjectAltName, false, sequence(...subjectAltNames)));
  return list;
}

/** Writes and signs a version 3 certificate; gives its DER. */
export async function buildCertificate(content: CertificateContent, signer: SigningKey): Promise<Uint8Array> {
  const tbs = sequence(
    tagged(0, integer(new Uint8Array([2]))),
    integer(content.serial),
    signer.algorithm,
    content.issuer,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject,
    content.publicKey,
    tagged(3, sequence(...extensions(content))),
  );
  return sequence(tbs, signer.algorithm, bitString(await signer.sign(tbs)));
}

/** The identifier of a public key: 20 bytes of the SHA-256 of its bits (RFC 7093, method 1). */
export async function keyIdentifier(publicKey: Uint8Array): Promise<Uint8Array> {
  const bits = readBitString(expectTag(readElements(readWhole(publicKey, derTag.sequence))[1], derTag.bitString));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bits))).subarray(0, 20);
}

/** 127 random bits: positive and of a fixed length. */
export function serialNumber(random: Random): Uint8Array {
  const bytes = random.fill(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
