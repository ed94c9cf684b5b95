import { type DerElement, DerError, derTag, readString } from './der-reader.js';
import { element } from './der-writer.js';
import { parseIp } from './ip-address.js';

/** Names by kind. IP addresses are 4 or 16 bytes. */
export interface GeneralNames {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly uri: readonly string[];
  readonly ip: readonly Uint8Array[];
}

/** The context numbers of the kinds (RFC 5280, 4.2.1.6). */
export const nameTag = {
  email: derTag.context(1),
  dns: derTag.context(2),
  uri: derTag.context(6),
  ip: derTag.context(7),
} as const;

/** The text of a name in ASCII. @throws DerError */
export function readNameText(content: Uint8Array): string {
  return readString({ tag: derTag.ia5String, content, raw: content });
}

/** Reads general names; kinds other than the four are passed over. @throws DerError */
export function readGeneralNames(elements: readonly DerElement[]): GeneralNames {
  const names = { dns: [] as string[], email: [] as string[], uri: [] as string[], ip: [] as Uint8Array[] };
  for (const { tag, content } of elements) {
    if (tag === nameTag.dns) names.dns.push(readNameText(content));
    else if (tag === nameTag.email) names.email.push(readNameText(content));
    else if (tag === nameTag.uri) names.uri.push(readNameText(content));
    else if (tag === nameTag.ip) {
      if (content.length !== 4 && content.length !== 16) throw new DerError('invalid IP address');
      names.ip.push(content);
    }
  }
  return names;
}

/**
 * General names as DER elements.
 * @throws TypeError for an IP address that is none and for a DNS name that is not ASCII.
 */
export function encodeGeneralNames(dnsNames: readonly string[], ipAddresses: readonly string[]): Uint8Array[] {
  return [
    ...dnsNames.map((name) => {
      if (!/^[\x21-\x7e]+$/.test(name)) throw new TypeError(`not a DNS name: ${name}`);
      return element(nameTag.dns, new TextEncoder().encode(name));
    }),
    ...ipAddresses.map((text) => {
      const address = parseIp(text);
      if (!address) throw new TypeError(`not an IP address: ${text}`);
      return element(nameTag.ip, address);
    }),
  ];
}

/** Names of all kinds as DER elements: DNS names first, then e-mail and IP addresses and URIs. */
export function encodeNames({ dns, email, ip, uri }: GeneralNames): Uint8Array[] {
  const text = (tag: number) => (name: string) => element(tag, new TextEncoder().encode(name));
  return [
    ...dns.map(text(nameTag.dns)),
    ...email.map(text(nameTag.email)),
    ...ip.map((address) => element(nameTag.ip, address)),
    ...uri.map(text(nameTag.uri)),
  ];
}
