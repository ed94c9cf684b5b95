import type { Random } from '../meta/random.js';
import type { Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { extensionOid, type KeyUsage, keyUsages } from './certificate.js';
import { derTag } from './der/reader.js';
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
import { type GeneralNames, nameTag } from './names/general-names.js';
import type { SigningKey } from './private-key.js';

const encoder = new TextEncoder();

/** The content of a certificate that is to be built. */
export interface CertificateContent {
  /** The serial number: big-endian, positive, in the fewest bytes. */
  readonly serial: Uint8Array;
  /** The names of the issuer and the subject, DER. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** The start and the end of the validity, in milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** The result of {@link purposeExtensions}. */
  readonly purpose: readonly Uint8Array[];
  /** The alternative names. If there are none, the certificate has no such extension. */
  readonly subjectAltNames?: GeneralNames;
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
}

/** What a certificate may be used for. */
export interface Purpose {
  readonly keyUsage: readonly KeyUsage[];
  /**
   * Object identifiers of the purposes in the extension extKeyUsage. If the list is empty, the certificate has no such extension and allows
   * any purpose.
   */
  readonly extendedKeyUsage: readonly string[];
  /** Whether the certificate may sign other certificates. Default false. */
  readonly isAuthority?: boolean;
}

const VERSION_3 = tagged(0, integer(Uint8Array.of(2)));
const EXTENSIONS = derTag.constructed(3);
const KEY_ID = derTag.context(0);
const SUBJECT_KEY_ID = oid(extensionOid.subjectKeyId);
const AUTHORITY_KEY_ID = oid(extensionOid.authorityKeyId);

/** Builds and signs a version 3 certificate. Returns its DER. */
export async function buildCertificate(content: CertificateContent, signer: SigningKey): Promise<Uint8Array> {
  const { serial, issuer, subject, notBefore, notAfter, publicKey } = content;
  const tbs = sequence(
    VERSION_3,
    integer(serial),
    signer.algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    element(EXTENSIONS, sequence(...extensions(content))),
  );
  return sequence(tbs, signer.algorithm, bitString(await signer.sign(tbs)));
}

/** Returns the extensions for the purpose of a certificate, DER. */
export function purposeExtensions({ keyUsage, extendedKeyUsage, isAuthority = false }: Purpose): readonly Uint8Array[] {
  const list: Uint8Array[] = [];
  if (keyUsage.length > 0)
    list.push(criticalExtension(extensionOid.keyUsage, namedBits(keyUsage.map((use) => keyUsages.indexOf(use)))));
  if (extendedKeyUsage.length > 0)
    list.push(extension(oid(extensionOid.extendedKeyUsage), sequence(...extendedKeyUsage.map(oid))));
  // DER omits default values, and the default is that a certificate is not an authority.
  list.push(criticalExtension(extensionOid.basicConstraints, sequence(...(isAuthority ? [boolean(true)] : []))));
  return list;
}

function extensions({ purpose, subjectKeyId, authorityKeyId, subjectAltNames }: CertificateContent): Uint8Array[] {
  const names = subjectAltNames ? generalNames(subjectAltNames) : [];
  const list = [...purpose];
  if (subjectKeyId) list.push(extension(SUBJECT_KEY_ID, octetString(subjectKeyId)));
  if (authorityKeyId) list.push(extension(AUTHORITY_KEY_ID, sequence(element(KEY_ID, authorityKeyId))));
  if (names.length > 0) list.push(extension(oid(extensionOid.subjectAltName), sequence(...names)));
  return list;
}

function generalNames({ dns, email, ip, uri }: GeneralNames): Uint8Array[] {
  const texts = (tag: number, names: readonly string[]) => names.map((name) => element(tag, encoder.encode(name)));
  return [
    ...texts(nameTag.dns, dns),
    ...texts(nameTag.email, email),
    ...ip.map((address) => element(nameTag.ip, address)),
    ...texts(nameTag.uri, uri),
  ];
}

const extension = (id: Uint8Array, value: Uint8Array) => sequence(id, octetString(value));

const criticalExtension = (id: string, value: Uint8Array) => sequence(oid(id), boolean(true), octetString(value));

/** The length of the uncompressed point at the end of a P-256 key in SubjectPublicKeyInfo. */
const POINT = 65;

/** Returns the key identifier of a P-256 key: the first 20 bytes of the SHA-256 of its bit string, the point (RFC 7093, method 1). */
export async function keyIdentifier(
  publicKey: Uint8Array,
  signatures: Signatures = systemSignatures,
): Promise<Uint8Array> {
  return (await signatures.digest('SHA-256', publicKey.subarray(-POINT))).subarray(0, 20);
}

/** Returns a random serial number of 16 bytes. Its first two bits are 01, so that it is positive and its DER always has the same length. */
export function serialNumber(random: Random): Uint8Array {
  const bytes = random.fill(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
