import { type DerElement, DerError, derTag } from '../der/reader.js';
import { isDomain, MAX_DOMAIN, MAX_LABEL } from './domain-name.js';

/** Names by kind. IP addresses are 4 or 16 bytes. */
export interface GeneralNames {
  /** The DNS names. */
  readonly dns: readonly string[];
  /** The email addresses. */
  readonly email: readonly string[];
  /** The URIs. */
  readonly uri: readonly string[];
  /** The IP addresses, each of 4 or 16 bytes. */
  readonly ip: readonly Uint8Array[];
}

/** The context tags of the kinds of names (RFC 5280, 4.2.1.6). */
export const nameTag = {
  email: derTag.context(1),
  dns: derTag.context(2),
  uri: derTag.context(6),
  ip: derTag.context(7),
} as const;

/**
 * The maximum number of names of a certificate. A certificate with more names is refused, because comparing them with name constraints
 * would take too long.
 */
export const MAX_NAMES = 4096;

/** Reads a name as an ASCII string. @throws DerError */
export function readNameText(content: Uint8Array): string {
  let text = '';
  for (const byte of content) {
    if (byte > 0x7f) throw new DerError('invalid string');
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Reads a DNS name. @throws DerError when it or one of its labels is too long. */
function readDomain(content: Uint8Array): string {
  if (content.length > MAX_DOMAIN) throw new DerError('DNS name is too long');
  const text = readNameText(content);
  if (text.split('.').some((label) => label.length > MAX_LABEL)) throw new DerError('DNS name is too long');
  return text;
}

/** Returns the host of a URI with its port and without the user; '' when there is none. */
export function uriAuthority(uri: string): string {
  const authority = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1);
}

function readUri(content: Uint8Array): string {
  const text = readNameText(content);
  const host = uriAuthority(text);
  // A port that is not a number would become part of the name that constraints are compared with.
  const port = host.endsWith(']') ? '' : host.slice(host.lastIndexOf(':')).slice(1);
  if (host !== '' && (!isDomain(host) || host.includes('%') || (host.includes(':') && /\D/.test(port))))
    throw new DerError(`x509: cannot parse URI ${JSON.stringify(text)}: invalid domain`);
  return text;
}

/** Reads general names. Names of kinds that `GeneralNames` does not contain are skipped. @throws DerError */
export function readGeneralNames(elements: readonly DerElement[]): GeneralNames {
  if (elements.length > MAX_NAMES) throw new DerError('too many names');
  const names = { dns: [] as string[], email: [] as string[], uri: [] as string[], ip: [] as Uint8Array[] };
  for (const { tag, content } of elements) {
    if (tag === nameTag.dns) names.dns.push(readDomain(content));
    else if (tag === nameTag.email) names.email.push(readNameText(content));
    else if (tag === nameTag.uri) names.uri.push(readUri(content));
    else if (tag === nameTag.ip) {
      if (content.length !== 4 && content.length !== 16) throw new DerError('invalid IP address');
      names.ip.push(content);
    }
  }
  return names;
}
