import {
  DerError,
  derTag,
  expectTag,
  readBitString,
  readBits,
  readBoolean,
  readElements,
  readInteger,
  readOid,
  readSmallInteger,
  readTime,
  readWhole,
  sameBytes,
} from './der-reader.js';
import { type DistinguishedName, distinguishedName } from './distinguished-name.js';
import { type GeneralNames, readGeneralNames } from './general-names.js';
import { type NameConstraints, readNameConstraints } from './name-constraints.js';
import { decodePem } from './pem.js';

/** What a key may be used for (RFC 5280, 4.2.1.3), in the order of the bits. */
export const keyUsages = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'crlSign',
  'encipherOnly',
  'decipherOnly',
] as const;
export type KeyUsage = (typeof keyUsages)[number];

/** Object identifiers of the extensions that are understood here. */
export const extensionOid = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/** Object identifiers of extended key uses. */
export const extendedKeyUsageOid = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** Extensions that may be critical although nothing here depends on them: CRL places, policies, issuer information. */
const HARMLESS_EXTENSIONS = ['2.5.29.31', '2.5.29.32', '1.3.6.1.5.5.7.1.1'];

/** The facts of an X.509 certificate. Byte arrays are views into `raw`. */
export interface Certificate {
  readonly raw: Uint8Array;
  /** What is signed. */
  readonly tbs: Uint8Array;
  /** The signature's AlgorithmIdentifier. */
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
  /** 1, 2 or 3. */
  readonly version: number;
  readonly serial: bigint;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** Milliseconds since the epoch; both ends are valid. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number };
  readonly keyUsage?: readonly KeyUsage[];
  /** Object identifiers; absent means any use. */
  readonly extendedKeyUsage?: readonly string[];
  readonly subjectAltNames?: GeneralNames;
  readonly nameConstraints?: NameConstraints;
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
  /** Object identifiers of critical extensions that are not understood: such a certificate must not be trusted. */
  readonly unhandledCritical: readonly string[];
}

type Facts = { -readonly [K in keyof Certificate]?: Certificate[K] };
/** Reads one extension's value into the facts. `false` when something in it was not understood. */
type ReadExtension = (value: Uint8Array, facts: Facts) => boolean | undefined;

const readExtension: Readonly<Record<string, ReadExtension>> = {
  [extensionOid.subjectKeyId](value, facts) {
    facts.subjectKeyId = readWhole(value, derTag.octetString);
    return true;
  },
  [extensionOid.authorityKeyId](value, facts) {
    const keyId = readElements(readWhole(value, derTag.sequence)).find((e) => e.tag === derTag.context(0));
    if (keyId) facts.authorityKeyId = keyId.content;
    return true;
  },
  [extensionOid.keyUsage](value, facts) {
    facts.keyUsage = readBits(readWhole(value, derTag.bitString)).flatMap((bit) => keyUsages[bit] ?? []);
    return true;
  },
  [extensionOid.extendedKeyUsage](value, facts) {
    facts.extendedKeyUsage = readElements(readWhole(value, derTag.sequence)).map((e) =>
      readOid(expectTag(e, derTag.oid)),
    );
    return true;
  },
  [extensionOid.basicConstraints](value, facts) {
    const fields = readElements(readWhole(value, derTag.sequence));
    const ca = fields[0]?.tag === derTag.boolean && readBoolean(expectTag(fields.shift(), derTag.boolean));
    const pathLength =
      fields[0]?.tag === derTag.integer ? readSmallInteger(expectTag(fields.shift(), derTag.integer)) : undefined;
    if (fields.length > 0) throw new DerError('trailing data');
    facts.basicConstraints = pathLength === undefined ? { ca } : { ca, pathLength };
    return true;
  },
  [extensionOid.subjectAltName](value, facts) {
    const names = readGeneralNames(readElements(readWhole(value, derTag.sequence)));
    facts.subjectAltNames = names;
    return names.dns.length + names.email.length + names.uri.length + names.ip.length > 0;
  },
  [extensionOid.nameConstraints](value, facts) {
    facts.nameConstraints = readNameConstraints(readWhole(value, derTag.sequence));
    return facts.nameConstraints.complete;
  },
};

function readExtensions(list: Uint8Array, facts: Facts): string[] {
  const seen = new Set<string>();
  const unhandled: string[] = [];
  for (const extension of readElements(list)) {
    const fields = readElements(expectTag(extension, derTag.sequence));
    const id = readOid(expectTag(fields.shift(), derTag.oid));
    const critical = fields[0]?.tag === derTag.boolean && readBoolean(expectTag(fields.shift(), derTag.boolean));
    const value = expectTag(fields.shift(), derTag.octetString);
    if (fields.length > 0 || seen.has(id))
      throw new DerError(seen.has(id) ? 'certificate contains duplicate extensions' : 'trailing data');
    seen.add(id);
    const understood = Object.hasOwn(readExtension, id)
      ? readExtension[id]?.(value, facts)
      : HARMLESS_EXTENSIONS.includes(id);
    if (critical && !understood) unhandled.push(id);
  }
  return unhandled;
}

/** No certificate a handshake can carry is longer, in bytes. */
const MAX_LENGTH = 65_536;

/**
 * Reads a DER certificate. Nothing is verified.
 * @throws DerError when it is not a certificate in strict DER.
 */
export function parseCertificate(der: Uint8Array): Certificate {
  if (der.length > MAX_LENGTH) throw new DerError('certificate is too large');
  const [tbs, algorithm, signature, ...extra] = readElements(readWhole(der, derTag.sequence));
  if (extra.length > 0) throw new DerError('trailing data');
  const fields = readElements(expectTag(tbs, derTag.sequence));
  const version =
    fields[0]?.tag === derTag.constructed(0)
      ? 1 + readSmallInteger(readWhole(expectTag(fields.shift(), derTag.constructed(0)), derTag.integer))
      : 1;
  if (version > 3) throw new DerError('unknown certificate version');
  const [serial, innerAlgorithm, issuer, validity, subject, publicKey, ...rest] = fields;
  const [notBefore, notAfter] = readElements(expectTag(validity, derTag.sequence));
  expectTag(algorithm, derTag.sequence);
  expectTag(publicKey, derTag.sequence);
  if (tbs === undefined || algorithm === undefined || innerAlgorithm === undefined || publicKey === undefined)
    throw new DerError('unexpected end');
  if (!sameBytes(algorithm.raw, innerAlgorithm.raw))
    throw new DerError('inner and outer signature algorithms do not match');

  const facts: Facts = {};
  const extensions = version === 3 ? rest.find((e) => e.tag === derTag.constructed(3)) : undefined;
  const unhandledCritical = extensions ? readExtensions(readWhole(extensions.content, derTag.sequence), facts) : [];
  return {
    ...facts,
    raw: der,
    tbs: tbs.raw,
    signatureAlgorithm: algorithm.raw,
    signature: readBitString(expectTag(signature, derTag.bitString)),
    version,
    serial: readInteger(expectTag(serial, derTag.integer)),
    subject: distinguishedName(subject),
    issuer: distinguishedName(issuer),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    publicKey: publicKey.raw,
    unhandledCritical,
  };
}

/**
 * The certificates of a PEM text, in order. A block may hold several; blocks with another label or with headers are passed over.
 * @throws DerError when a CERTIFICATE block holds something else.
 */
export function parseCertificates(pem: string): Certificate[] {
  const certificates: Certificate[] = [];
  for (const { label, headers, bytes } of decodePem(pem)) {
    if (label !== 'CERTIFICATE' || headers.size > 0) continue;
    for (const { raw } of readElements(bytes)) certificates.push(parseCertificate(raw));
  }
  return certificates;
}
