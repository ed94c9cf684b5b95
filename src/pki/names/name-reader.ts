import type { AttributeValue, Name } from '@peculiar/asn1-x509';
import { encode } from '../der/asn1.js';
import { DerError, derTag, readElement } from '../der/reader.js';
import { type DistinguishedName, nameAttribute } from './distinguished-name.js';

const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/;
const NUMERIC = /^[0-9 ]*$/;
const ASCII = /^[\x00-\x7f]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Reads the parts of a name that this server uses. @throws DerError for a string with characters that its ASN.1 type does not allow. */
export function readName(name: Name): DistinguishedName {
  let commonName = '';
  const organizations: string[] = [];
  for (const { type, value } of [...name].flat()) {
    const text = attributeText(value);
    if (type === nameAttribute.commonName) commonName = text;
    else if (type === nameAttribute.organization) organizations.push(text);
  }
  return { raw: encode(name), commonName, organizations };
}

function attributeText(value: AttributeValue): string {
  const { utf8String, printableString, teletexString, bmpString, ia5String, anyValue } = value;
  if (utf8String !== undefined) return utf8String;
  if (printableString !== undefined) return requireMatch(PRINTABLE, printableString);
  if (ia5String !== undefined) return requireMatch(ASCII, ia5String);
  if (teletexString !== undefined) return teletexString;
  if (bmpString !== undefined && !LONE_SURROGATE.test(bmpString)) return bmpString;
  return numericText(anyValue);
}

/** Reads a NumericString. The ASN.1 package does not accept this type in names, so this function reads it. */
function numericText(value: ArrayBuffer | null | undefined): string {
  const { tag, content } = readElement(new Uint8Array(value ?? []));
  if (tag !== derTag.numericString) throw new DerError('unsupported string type');
  let text = '';
  for (const byte of content) text += String.fromCharCode(byte);
  return requireMatch(NUMERIC, text);
}

function requireMatch(allowed: RegExp, text: string): string {
  if (!allowed.test(text)) throw new DerError('invalid string');
  return text;
}
