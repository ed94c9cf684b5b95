import { oid, sequence, set, utf8String } from '../der/writer.js';

/** A subject or issuer. */
export interface DistinguishedName {
  /** The DER, which is used to compare names. */
  readonly raw: Uint8Array;
  /** The last common name; '' when there is none. */
  readonly commonName: string;
  /** The organizations in order, with repetitions. */
  readonly organizations: readonly string[];
}

export const nameAttribute = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;
const COMMON_NAME = oid(nameAttribute.commonName);
const ORGANIZATION = oid(nameAttribute.organization);

/** Returns the DER of a distinguished name with organizations and a common name. */
export function encodeDistinguishedName(commonName: string, organizations: readonly string[] = []): Uint8Array {
  const attribute = (type: Uint8Array, text: string) => set(sequence(type, utf8String(text)));
  return sequence(
    ...organizations.map((text) => attribute(ORGANIZATION, text)),
    ...(commonName === '' ? [] : [attribute(COMMON_NAME, commonName)]),
  );
}
