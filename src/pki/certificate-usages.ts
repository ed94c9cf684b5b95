import { type KeyUsage, keyUsages } from './certificate.js';

// The keys are the usages as certificate requests of the API name them.
const KEY_USES: Readonly<Record<string, KeyUsage>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'contentCommitment',
  'key encipherment': 'keyEncipherment',
  'key agreement': 'keyAgreement',
  'data encipherment': 'dataEncipherment',
  'cert sign': 'keyCertSign',
  'crl sign': 'crlSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
};
const PURPOSES = '1.3.6.1.5.5.7.3';
/** The order is that in which certificates list them. */
const EXTENDED_USES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': `${PURPOSES}.1`,
  'client auth': `${PURPOSES}.2`,
  'code signing': `${PURPOSES}.3`,
  'email protection': `${PURPOSES}.4`,
  's/mime': `${PURPOSES}.4`,
  'ipsec end system': `${PURPOSES}.5`,
  'ipsec tunnel': `${PURPOSES}.6`,
  'ipsec user': `${PURPOSES}.7`,
  timestamping: `${PURPOSES}.8`,
  'ocsp signing': `${PURPOSES}.9`,
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** The allowed uses of a certificate. */
export interface CertificateUsages {
  readonly keyUsage: readonly KeyUsage[];
  /** Object identifiers. */
  readonly extendedKeyUsage: readonly string[];
}

/**
 * Returns the content of the usage extensions for the usages of an API certificate request.
 * @throws TypeError for an unknown usage.
 */
export function certificateUsages(usages: readonly string[]): CertificateUsages {
  const unknown = usages.find((usage) => !Object.hasOwn(KEY_USES, usage) && !Object.hasOwn(EXTENDED_USES, usage));
  if (unknown !== undefined) throw new TypeError(`unrecognized usage: ${unknown}`);
  const requestedUses = new Set(
    usages.flatMap((usage) => (Object.hasOwn(KEY_USES, usage) ? (KEY_USES[usage] ?? []) : [])),
  );
  const purposes = Object.entries(EXTENDED_USES).flatMap(([usage, oid]) => (usages.includes(usage) ? [oid] : []));
  return { keyUsage: keyUsages.filter((use) => requestedUses.has(use)), extendedKeyUsage: [...new Set(purposes)] };
}
