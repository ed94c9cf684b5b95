import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate as CertificateStructure,
  ExtendedKeyUsage,
  type Extension,
  KeyUsage as KeyUsageBits,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import { type Certificate, extensionOid, keyUsages } from './certificate.js';
import { encode, readExactly } from './der/asn1.js';
import {
  DerError,
  derTag,
  expectTag,
  readElement,
  readElements,
  readInteger,
  readOid,
  readWhole,
  sameBytes,
} from './der/reader.js';
import { checkStructure, type ElementBudget, MAX_ELEMENTS } from './der/structure.js';
import { readGeneralNames } from './names/general-names.js';
import { readNameConstraints } from './names/name-constraints.js';
import { readName } from './names/name-reader.js';
import { pemCertificates } from './pem-certificates.js';
import { checkPublicKey } from './public-key.js';

/** The maximum size of a certificate in bytes; a handshake cannot carry larger ones. */
const MAX_LENGTH = 65_536;

type Facts = { -readonly [K in keyof Certificate]?: Certificate[K] };
/**
 * Reads the value of one extension into `facts`, the certificate under construction. Returns false if a part of the value is one that this
 * server does not understand.
 */
type ReadExtension = (value: Uint8Array, facts: Facts, budget: ElementBudget, critical: boolean) => boolean;

const readers: ReadonlyMap<string, ReadExtension> = new Map<string, ReadExtension>([
  [
    extensionOid.subjectKeyId,
    (value, facts, budget, critical) => {
      if (critical) throw new DerError('x509: subject key identifier incorrectly marked critical');
      facts.subjectKeyId = new Uint8Array(readExactly(value, SubjectKeyIdentifier, budget).buffer);
      return true;
    },
  ],
  [
    extensionOid.authorityKeyId,
    (value, facts, budget, critical) => {
      if (critical) throw new DerError('x509: authority key identifier incorrectly marked critical');
      const { keyIdentifier } = readExactly(value, AuthorityKeyIdentifier, budget);
      if (keyIdentifier) facts.authorityKeyId = new Uint8Array(keyIdentifier.buffer);
      return true;
    },
  ],
  [
    extensionOid.keyUsage,
    (value, facts, budget) => {
      const bytes = new Uint8Array(readExactly(value, KeyUsageBits, budget).value);
      const isSet = (bit: number) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
      facts.keyUsage = keyUsages.filter((_, bit) => isSet(bit));
      return true;
    },
  ],
  [
    extensionOid.extendedKeyUsage,
    (value, facts, budget) => {
      facts.extendedKeyUsage = [...readExactly(value, ExtendedKeyUsage, budget)];
      return true;
    },
  ],
  [
    extensionOid.basicConstraints,
    (value, facts, budget) => {
      const { cA: ca, pathLenConstraint } = readExactly(value, BasicConstraints, budget);
      // The ASN.1 package returns a large number as a string.
      const pathLength = pathLenConstraint === undefined ? undefined : Number(pathLenConstraint);
      if (pathLength !== undefined && !(pathLength >= 0 && pathLength <= 0x7fffffff))
        throw new DerError('x509: invalid basic constraints');
      facts.basicConstraints = pathLength === undefined ? { ca } : { ca, pathLength };
      return true;
    },
  ],
  [
    extensionOid.subjectAltName,
    (value, facts) => {
      const names = readGeneralNames(readElements(readWhole(value, derTag.sequence)));
      facts.subjectAltNames = names;
      return names.dns.length + names.email.length + names.uri.length + names.ip.length > 0;
    },
  ],
  [
    extensionOid.nameConstraints,
    (value, facts) => {
      facts.nameConstraints = readNameConstraints(readWhole(value, derTag.sequence));
      return facts.nameConstraints.complete;
    },
  ],
  [extensionOid.policies, (value) => isList(value, 1)],
  [extensionOid.revocationLists, (value) => isList(value, 0)],
  [
    extensionOid.authorityInformation,
    (value, _facts, _budget, critical) => {
      if (critical) throw new DerError('x509: authority info access incorrectly marked critical');
      return isList(value, 2);
    },
  ],
]);

/**
 * Checks the form of an extension whose content this server does not use: it must be a list of sequences. Each sequence has at least
 * `least` elements; if `least` is more than 0, its first element is an object identifier. @throws DerError
 */
function isList(value: Uint8Array, least: number): true {
  for (const item of readElements(readWhole(value, derTag.sequence))) {
    const fields = readElements(expectTag(item, derTag.sequence));
    if (least > 0) readOid(expectTag(fields[0], derTag.oid));
    if (fields.length < least) throw new DerError('unexpected end');
  }
  return true;
}

function readExtensions(list: readonly Extension[], facts: Facts, budget: ElementBudget): string[] {
  const seen = new Set<string>();
  const unhandled: string[] = [];
  for (const { extnID: id, critical, extnValue } of list) {
    if (seen.has(id)) throw new DerError('certificate contains duplicate extensions');
    seen.add(id);
    const understood = readers.get(id)?.(new Uint8Array(extnValue.buffer), facts, budget, critical) ?? false;
    if (critical && !understood) unhandled.push(id);
  }
  return unhandled;
}

/**
 * Reads a certificate as `parseCertificate` does.
 * @param budget the number of elements that may be read, for this certificate alone or together with other certificates
 */
export function readCertificate(der: Uint8Array, budget: ElementBudget = { left: MAX_ELEMENTS }): Certificate {
  if (der.length > MAX_LENGTH) throw new DerError('certificate is too large');
  checkStructure(der, { left: budget.left });
  const {
    der: readable,
    shifts: [before, after],
  } = readableTimes(der);
  const {
    tbsCertificate: tbs,
    signatureAlgorithm,
    signatureValue,
  } = readExactly(readable, CertificateStructure, budget);
  const version = 1 + Number(tbs.version);
  if (version < 1 || version > 3) throw new DerError('unknown certificate version');
  const algorithm = encode(signatureAlgorithm);
  if (!sameBytes(algorithm, encode(tbs.signature)))
    throw new DerError('inner and outer signature algorithms do not match');
  const serial = readInteger(new Uint8Array(tbs.serialNumber));
  if (serial < 0n) throw new DerError('x509: negative serial number');
  checkPublicKey(tbs.subjectPublicKeyInfo);

  const facts: Facts = {};
  const unhandledCritical = version === 3 ? readExtensions(tbs.extensions ?? [], facts, budget) : [];
  return {
    ...facts,
    raw: der,
    tbs: readElement(readElement(der).content).raw.slice(),
    signatureAlgorithm: algorithm,
    signature: new Uint8Array(signatureValue),
    version,
    serial,
    subject: readName(tbs.subject),
    issuer: readName(tbs.issuer),
    notBefore: tbs.validity.notBefore.getTime().getTime() + before,
    notAfter: tbs.validity.notAfter.getTime().getTime() + after,
    publicKey: encode(tbs.subjectPublicKeyInfo),
    unhandledCritical,
  };
}

/** Reads the certificates of a PEM text as `parseCertificates` does. */
export function readCertificates(pem: string): Certificate[] {
  return pemCertificates(pem).map((der) => readCertificate(der));
}

/** The length of the calendar's cycle of 400 years, in milliseconds. */
const FOUR_CENTURIES = 146_097 * 86_400_000;
const ZERO = 0x30;
/** The length of `YYYYMMDDhhmmssZ`. Certificates have no fractions of seconds (RFC 5280, 4.1.2.5.2). */
const TIME_LENGTH = 15;

/**
 * A certificate whose validity the ASN.1 packages can read. They use `Date`, which maps the years 0 to 99 to 1900 to 1999 and would misread
 * these years. Such years occur, because Go writes an unset time as 1 January of the year 1.
 */
export interface ReadableTimes {
  /** The certificate, DER. A year before 100 in its validity is replaced by the year 400 years later. */
  readonly der: Uint8Array;
  /** The milliseconds to add to the notBefore and notAfter of `der` to get the real times. */
  readonly shifts: readonly [number, number];
}

/** @throws DerError */
export function readableTimes(der: Uint8Array): ReadableTimes {
  const [tbs] = readElements(readElement(der).content);
  const fields = readElements(tbs?.content ?? new Uint8Array());
  const validity = fields[fields[0]?.tag === derTag.constructed(0) ? 4 : 3];
  const early =
    validity?.tag === derTag.sequence
      ? readElements(validity.content).map(({ tag, content }) => {
          if (tag !== derTag.generalizedTime) return false;
          if (content.length !== TIME_LENGTH) throw new DerError('x509: malformed GeneralizedTime');
          return content[0] === ZERO && content[1] === ZERO && content;
        })
      : [];
  if (!early.some(Boolean)) return { der, shifts: [0, 0] };
  const changed = Uint8Array.from(der);
  for (const content of early) if (content) changed[content.byteOffset - der.byteOffset + 1] = ZERO + 4;
  const shift = (content: unknown) => (content ? -FOUR_CENTURIES : 0);
  return { der: changed, shifts: [shift(early[0]), shift(early[1])] };
}
