import { type DerElement, DerError, derTag, expectTag, readElements, readOid, readString } from './der-reader.js';
import { oid, sequence, set, utf8String } from './der-writer.js';

/** A subject or issuer. */
export interface DistinguishedName {
  /** The DER, by which names are compared. */
  readonly raw: Uint8Array;
  /** The last common name; '' when there is none. */
  readonly commonName: string;
  /** In order, with repetitions. */
  readonly organizations: readonly string[];
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/** Reads a Name. @throws DerError */
export function distinguishedName(name: DerElement | undefined): DistinguishedName {
  let commonName = '';
  const organizations: string[] = [];
  const relativeNames = readElements(expectTag(name, derTag.sequence));
  for (const relativeName of relativeNames) {
    for (const attribute of readElements(expectTag(relativeName, derTag.set))) {
      const [type, value, ...extra] = readElements(expectTag(attribute, derTag.sequence));
      if (value === undefined || extra.length > 0) throw new DerError('invalid name');
      const id = readOid(expectTag(type, derTag.oid));
      const text = readString(value);
      if (id === COMMON_NAME) commonName = text;
      else if (id === ORGANIZATION) organizations.push(text);
    }
  }
  return { raw: name?.raw ?? new Uint8Array(), commonName, organizations };
}

/** The DER of a name with these parts. */
export function encodeDistinguishedName(commonName: string, organizations: readonly string[] = []): Uint8Array {
  const attribute = (type: string, text: string) => set(sequence(oid(type), utf8String(text)));
  return sequence(
    ...organizations.map((text) => attribute(ORGANIZATION, text)),
    ...(commonName === '' ? [] : [attribute(COMMON_NAME, commonName)]),
  );
}
