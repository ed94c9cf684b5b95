import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  KeyIdentifier,
  KeyUsage as KeyUsageBits,
  Name,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { extensionOid, type KeyUsage, keyUsages } from './certificate.js';
import { encode } from './der/asn1.js';
import type { GeneralNames } from './names/general-names.js';
import { formatIp } from './names/ip-address.js';
import type { SigningKey } from './private-key.js';

/** The complete content of a certificate. */
export interface CertificateContent {
  /** Big-endian, positive, in the fewest bytes. */
  readonly serial: Uint8Array;
  /** Names, DER. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly keyUsage: readonly KeyUsage[];
  /** Object identifiers. Without any, the certificate has no extension and allows any use. */
  readonly extendedKeyUsage: readonly string[];
  /** Without any names, the certificate has no extension for them. */
  readonly subjectAltNames: GeneralNames;
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
}

/** Builds and signs a version 3 certificate that is not an authority. Returns its DER. */
export async function buildCertificate(content: CertificateContent, signer: SigningKey): Promise<Uint8Array> {
  const algorithm = AsnConvert.parse(signer.algorithm, AlgorithmIdentifier);
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: bufferOf(content.serial),
    signature: algorithm,
    issuer: AsnConvert.parse(content.issuer, Name),
    validity: new Validity({ notBefore: new Date(content.notBefore), notAfter: new Date(content.notAfter) }),
    subject: AsnConvert.parse(content.subject, Name),
    subjectPublicKeyInfo: AsnConvert.parse(content.publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions(extensions(content)),
  });
  const signatureValue = bufferOf(await signer.sign(encode(tbsCertificate)));
  return encode(new Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue }));
}

function extensions(content: CertificateContent): Extension[] {
  const { keyUsage, extendedKeyUsage, subjectKeyId, authorityKeyId } = content;
  const names = generalNames(content.subjectAltNames);
  const list: Extension[] = [];
  const add = (extnID: string, critical: boolean, value: object) =>
    list.push(new Extension({ extnID, critical, extnValue: new OctetString(encode(value)) }));
  if (keyUsage.length > 0) {
    const bits = keyUsage.reduce((sum, use) => sum | (1 << keyUsages.indexOf(use)), 0);
    add(extensionOid.keyUsage, true, new KeyUsageBits(bits));
  }
  if (extendedKeyUsage.length > 0)
    add(extensionOid.extendedKeyUsage, false, new ExtendedKeyUsage([...extendedKeyUsage]));
  add(extensionOid.basicConstraints, true, new BasicConstraints({ cA: false }));
  if (subjectKeyId) add(extensionOid.subjectKeyId, false, new SubjectKeyIdentifier(subjectKeyId));
  if (authorityKeyId) {
    const keyIdentifier = new KeyIdentifier(authorityKeyId);
    add(extensionOid.authorityKeyId, false, new AuthorityKeyIdentifier({ keyIdentifier }));
  }
  if (names.length > 0) add(extensionOid.subjectAltName, false, new SubjectAlternativeName(names));
  return list;
}

function generalNames({ dns, email, ip, uri }: GeneralNames): GeneralName[] {
  return [
    ...dns.map((dNSName) => new GeneralName({ dNSName })),
    ...email.map((rfc822Name) => new GeneralName({ rfc822Name })),
    ...ip.map((address) => new GeneralName({ iPAddress: formatIp(address) })),
    ...uri.map((uniformResourceIdentifier) => new GeneralName({ uniformResourceIdentifier })),
  ];
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
