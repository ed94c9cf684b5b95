import type { DistinguishedName } from './names/distinguished-name.js';
import type { GeneralNames } from './names/general-names.js';
import type { NameConstraints } from './names/name-constraints.js';

/** The uses of a key (RFC 5280, 4.2.1.3), in the order of their bits. */
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

/** Object identifiers of the extensions that this server understands. */
export const extensionOid = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  revocationLists: '2.5.29.31',
  policies: '2.5.29.32',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  authorityInformation: '1.3.6.1.5.5.7.1.1',
} as const;

/** The object identifiers of the purposes in the extension extKeyUsage. */
export const extendedKeyUsageOid = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** The content of an X.509 certificate. */
export interface Certificate {
  readonly raw: Uint8Array;
  /** The signed part of the certificate (TBSCertificate), DER. */
  readonly tbs: Uint8Array;
  /** The signature's AlgorithmIdentifier. */
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
  /** The version: 1, 2 or 3. */
  readonly version: number;
  readonly serial: bigint;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** The start and the end of the validity, in milliseconds since the epoch. Both are inclusive. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number };
  readonly keyUsage?: readonly KeyUsage[];
  /** The object identifiers of the allowed uses; absent means that any use is allowed. */
  readonly extendedKeyUsage?: readonly string[];
  readonly subjectAltNames?: GeneralNames;
  readonly nameConstraints?: NameConstraints;
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
  /**
   * Object identifiers of the critical extensions that this server does not understand. A certificate with such an extension must not be
   * trusted.
   */
  readonly unhandledCritical: readonly string[];
}
