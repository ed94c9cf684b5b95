import { DerError, derTag, expectTag, readElements } from './der-reader.js';
import { type GeneralNames, nameTag, readNameText } from './general-names.js';
import { formatIp, parseIp } from './ip-address.js';

/** A range of addresses: as many bytes of mask as of address. */
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

/** For which names an authority may vouch (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
  readonly permitted: NameSubtrees;
  readonly excluded: NameSubtrees;
  /** False when a kind of name is constrained that is not understood here. */
  readonly complete: boolean;
}

/** The labels of a domain from the last to the first; undefined when it is no domain. */
function reverseLabels(domain: string): string[] | undefined {
  if (!/^[\x21-\x7e]*$/.test(domain)) return undefined;
  const labels = domain.toLowerCase().split('.');
  return domain !== '' && labels.includes('') ? undefined : labels.reverse();
}

function readRange(content: Uint8Array): IpRange {
  const half = content.length / 2;
  if (half !== 4 && half !== 16) throw new DerError('invalid IP range');
  const mask = content.subarray(half);
  const bits = Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join('');
  if (bits.includes('01')) throw new DerError('invalid IP range');
  return { address: content.subarray(0, half), mask };
}

function readSubtrees(content: Uint8Array): { subtrees: NameSubtrees; complete: boolean } {
  const subtrees = { dns: [] as string[], email: [] as string[], uri: [] as string[], ip: [] as IpRange[] };
  let complete = true;
  for (const subtree of readElements(content)) {
    const [base, ...bounds] = readElements(expectTag(subtree, derTag.sequence));
    if (base === undefined || bounds.length > 0) throw new DerError('invalid name constraints');
    if (base.tag === nameTag.ip) subtrees.ip.push(readRange(base.content));
    else if (base.tag === nameTag.dns || base.tag === nameTag.email || base.tag === nameTag.uri) {
      const text = readNameText(base.content);
      const domain = text.slice(text.lastIndexOf('@') + 1).replace(/^\./, '');
      if (!reverseLabels(domain) || (base.tag === nameTag.uri && parseIp(text)))
        throw new DerError('invalid name constraints');
      (base.tag === nameTag.dns ? subtrees.dns : base.tag === nameTag.email ? subtrees.email : subtrees.uri).push(text);
    } else complete = false;
  }
  return { subtrees, complete };
}

const NOTHING = { subtrees: { dns: [], email: [], uri: [], ip: [] }, complete: true };

/** Reads the content of the extension. @throws DerError */
export function readNameConstraints(content: Uint8Array): NameConstraints {
  const parts = readElements(content);
  const read = (number: number) => {
    const part = parts.find((e) => e.tag === derTag.constructed(number));
    return part ? readSubtrees(part.content) : NOTHING;
  };
  if (parts.length === 0) throw new DerError('invalid name constraints');
  const [permitted, excluded] = [read(0), read(1)];
  return {
    permitted: permitted.subtrees,
    excluded: excluded.subtrees,
    complete: permitted.complete && excluded.complete,
  };
}

/** A name that cannot be compared with constraints at all. */
class UncomparableName extends Error {}

/** Whether a domain lies in a constraint's: `.a.b` holds what is below a.b, `a.b` a.b itself too, '' everything. */
function domainMatches(domain: string, constraint: string): boolean {
  if (constraint === '') return true;
  const below = constraint.startsWith('.');
  const labels = reverseLabels(domain);
  const wanted = reverseLabels(below ? constraint.slice(1) : constraint);
  if (!labels || !wanted) throw new UncomparableName(`x509: internal error: cannot parse domain "${domain}"`);
  if (labels.length < wanted.length + (below ? 1 : 0)) return false;
  return wanted.every((label, i) => label === labels[i]);
}

function emailMatches(email: string, constraint: string): boolean {
  const at = email.lastIndexOf('@');
  if (at <= 0) throw new UncomparableName(`x509: cannot parse rfc822Name "${email}"`);
  const constraintAt = constraint.lastIndexOf('@');
  if (constraintAt < 0) return domainMatches(email.slice(at + 1), constraint);
  return (
    email.slice(0, at) === constraint.slice(0, constraintAt) &&
    email.slice(at).toLowerCase() === constraint.slice(constraintAt).toLowerCase()
  );
}

/** The host of a URI: after the first `//`, without user and port. */
function uriMatches(uri: string, constraint: string): boolean {
  const authority = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '') throw new UncomparableName(`URI with empty host ("${uri}") cannot be matched against constraints`);
  const domain = host.replace(/:\d*$/, '');
  if (host.startsWith('[') || parseIp(domain))
    throw new UncomparableName(`URI with IP ("${uri}") cannot be matched against constraints`);
  return domainMatches(domain, constraint);
}

function ipMatches(ip: Uint8Array, { address, mask }: IpRange): boolean {
  return ip.length === address.length && ip.every((byte, i) => ((byte ^ (address[i] ?? 0)) & (mask[i] ?? 0)) === 0);
}

/** How many comparisons are left for one verification; hostile chains could ask for very many. */
export interface ComparisonBudget {
  left: number;
}

interface Comparison<N, C> {
  readonly kind: string;
  readonly names: readonly N[];
  readonly permitted: readonly C[];
  readonly excluded: readonly C[];
  matches(name: N, constraint: C): boolean;
  printName(name: N): string;
  printConstraint(constraint: C): string;
}

/** What is wrong with the names of one kind, if anything. */
function compare<N, C>(comparison: Comparison<N, C>, budget: ComparisonBudget): string | undefined {
  const { kind, names, permitted, excluded, matches, printName, printConstraint } = comparison;
  for (const name of names) {
    budget.left -= permitted.length + excluded.length;
    if (budget.left < 0) return 'too many constraints';
    const hit = excluded.find((constraint) => matches(name, constraint));
    if (hit !== undefined) return `${kind} "${printName(name)}" is excluded by constraint "${printConstraint(hit)}"`;
    if (permitted.length > 0 && !permitted.some((constraint) => matches(name, constraint)))
      return `${kind} "${printName(name)}" is not permitted by any constraint`;
  }
  return undefined;
}

const same = (text: string) => text;
const printRange = ({ address, mask }: IpRange) =>
  `${formatIp(address)}/${
    Array.from(mask, (byte) => byte.toString(2))
      .join('')
      .replaceAll('0', '').length
  }`;

/**
 * Checks the alternative names of the certificates below an authority against its constraints.
 * @returns what is wrong, or undefined.
 */
export function violatedConstraint(
  constraints: NameConstraints,
  below: readonly GeneralNames[],
  budget: ComparisonBudget,
): string | undefined {
  const { permitted, excluded } = constraints;
  const text = (
    kind: string,
    key: 'dns' | 'email' | 'uri',
    names: GeneralNames,
    matches: (name: string, constraint: string) => boolean,
  ) =>
    compare(
      {
        kind,
        names: names[key],
        permitted: permitted[key],
        excluded: excluded[key],
        matches,
        printName: same,
        printConstraint: same,
      },
      budget,
    );
  try {
    for (const names of below) {
      const wrong =
        text('email address', 'email', names, emailMatches) ??
        text('DNS name', 'dns', names, domainMatches) ??
        text('URI', 'uri', names, uriMatches) ??
        compare(
          {
            kind: 'IP address',
            names: names.ip,
            permitted: permitted.ip,
            excluded: excluded.ip,
            matches: ipMatches,
            printName: formatIp,
            printConstraint: printRange,
          },
          budget,
        );
      if (wrong !== undefined) return wrong;
    }
  } catch (error) {
    if (error instanceof UncomparableName) return error.message;
    throw error;
  }
  return undefined;
}
