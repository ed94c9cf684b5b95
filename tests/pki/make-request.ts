import {
  bitString,
  element,
  integer,
  octetString,
  oid,
  sequence,
  set,
  tagged,
  utf8String,
} from '../../src/pki/der/writer.js';
import { type GeneralNames, nameTag } from '../../src/pki/names/general-names.js';
import { encodePem } from '../../src/pki/pem.js';
import { generateKey } from '../../src/pki/private-key.js';

export interface RequestParts {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly names?: Partial<GeneralNames>;
}

/** Returns names as DER elements: DNS names first, then e-mail and IP addresses and URIs. */
export function encodeNames({ dns, email, ip, uri }: GeneralNames): Uint8Array[] {
  const text = (tag: number) => (name: string) => element(tag, new TextEncoder().encode(name));
  return [
    ...dns.map(text(nameTag.dns)),
    ...email.map(text(nameTag.email)),
    ...ip.map((address) => element(nameTag.ip, address)),
    ...uri.map(text(nameTag.uri)),
  ];
}

/** A signed PKCS #10 request in PEM form, of a fresh P-256 key, and the key. */
export async function makeRequest({
  commonName = 'someone',
  organizations = [],
  names = {},
}: RequestParts = {}): Promise<{ pem: string; key: string }> {
  const { signing, publicKey, pem } = await generateKey();
  const attribute = (type: string, text: string) => set(sequence(oid(type), utf8String(text)));
  const subject = sequence(
    ...organizations.map((text) => attribute('2.5.4.10', text)),
    attribute('2.5.4.3', commonName),
  );
  const encoded = encodeNames({ dns: [], email: [], uri: [], ip: [], ...names });
  const extension = sequence(oid('2.5.29.17'), octetString(sequence(...encoded)));
  const attributes = encoded.length === 0 ? [] : [sequence(oid('1.2.840.113549.1.9.14'), set(sequence(extension)))];
  const tbs = sequence(integer(new Uint8Array([0])), subject, publicKey, tagged(0, ...attributes));
  const der = sequence(tbs, signing.algorithm, bitString(await signing.sign(tbs)));
  return { pem: encodePem('CERTIFICATE REQUEST', der), key: pem };
}
