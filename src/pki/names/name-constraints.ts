import { parseIp } from '../../values/ip-address.js';
import { DerError, derTag, expectTag, readElements } from '../der/reader.js';
import { isDomain, MAX_LABEL } from './domain-name.js';
import { MAX_NAMES, nameTag, readNameText } from './general-names.js';
import { parseMailbox } from './mailbox.js';

/** A range of addresses. The mask has as many bytes as the address. */
export interface IpRange {
  readonly address: Uint8Array;
  readonly mask: Uint8Array;
}
export interface NameSubtrees {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly uri: readonly string[];
  readonly ip: readonly IpRange[];
}

/** The names that an authority may certify (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
  readonly permitted: NameSubtrees;
  readonly excluded: NameSubtrees;
  /** False when the extension constrains a kind of names that this server does not understand. */
  readonly complete: boolean;
}

const NOTHING = { subtrees: { dns: [], email: [], uri: [], ip: [] }, complete: true };

/** Reads the content of the extension nameConstraints. @throws DerError */
export function readNameConstraints(content: Uint8Array): NameConstraints {
  const parts = readElements(content);
  if (parts.every((part) => part.content.length === 0)) throw new DerError('x509: empty name constraints extension');
  // An ignored part could contain a constraint, so there must be at most one list of each kind, in order.
  const kinds = parts.map(({ tag }) => tag - derTag.constructed(0)).join('');
  if (!['0', '1', '01'].includes(kinds)) throw new DerError('x509: invalid NameConstraints extension');
  const read = (number: number) => {
    const part = parts.find(({ tag }) => tag === derTag.constructed(number));
    return part ? readSubtrees(part.content) : NOTHING;
  };
  const [permitted, excluded] = [read(0), read(1)];
  return {
    permitted: permitted.subtrees,
    excluded: excluded.subtrees,
    complete: permitted.complete && excluded.complete,
  };
}

function readSubtrees(content: Uint8Array): { subtrees: NameSubtrees; complete: boolean } {
  const subtrees = { dns: [] as string[], email: [] as string[], uri: [] as string[], ip: [] as IpRange[] };
  const elements = readElements(content);
  if (elements.length > MAX_NAMES) throw new DerError('too many constraints');
  let complete = true;
  for (const subtree of elements) {
    const [base, ...bounds] = readElements(expectTag(subtree, derTag.sequence));
    if (base === undefined || bounds.length > 0) throw new DerError('invalid name constraints');
    if (base.tag === nameTag.ip) subtrees.ip.push(readRange(base.content));
    else if (base.tag === nameTag.dns) subtrees.dns.push(readDomain(base.content));
    else if (base.tag === nameTag.uri) subtrees.uri.push(readHost(base.content));
    else if (base.tag === nameTag.email) subtrees.email.push(readMailboxes(base.content));
    else complete = false;
  }
  return { subtrees, complete };
}

function readRange(content: Uint8Array): IpRange {
  const half = content.length / 2;
  if (half !== 4 && half !== 16) throw new DerError('invalid IP range');
  const mask = content.subarray(half);
  const bits = Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join('');
  if (bits.includes('01')) throw new DerError('invalid IP range');
  return { address: content.subarray(0, half), mask };
}

/** Reads a domain, with its leading dot if it has one. A constraint with a leading dot applies only to the subdomains. */
function readDomain(content: Uint8Array): string {
  const text = readNameText(content);
  const domain = text.replace(/^\./, '');
  if (!isDomain(domain) || domain.split('.').some((label) => label.length > MAX_LABEL))
    throw new DerError('invalid name constraints');
  return text;
}

function readHost(content: Uint8Array): string {
  const host = readDomain(content);
  if (parseIp(host)) throw new DerError('invalid name constraints');
  return host;
}

/** Reads a constraint for e-mail addresses: one mailbox, or a domain with all its mailboxes. */
function readMailboxes(content: Uint8Array): string {
  const text = readNameText(content);
  if (!text.includes('@')) return readDomain(content);
  const mailbox = parseMailbox(text);
  if (!mailbox || !isDomain(mailbox.domain)) throw new DerError('invalid name constraints');
  return text;
}
