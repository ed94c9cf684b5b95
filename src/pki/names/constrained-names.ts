import { formatIp, parseIp } from '../../values/ip-address.js';
import { domainAndParents, isDomain } from './domain-name.js';
import { type GeneralNames, uriAuthority } from './general-names.js';
import { type Mailbox, parseMailbox } from './mailbox.js';
import type { IpRange, NameConstraints } from './name-constraints.js';

/**
 * The number of comparisons of names with constraints that one chain verification may still make. Upstream limits them to the same number.
 */
export interface ComparisonBudget {
  left: number;
}

/** The error for a name that cannot be compared with constraints. */
class UncomparableName extends Error {}

/** Finds the first constraint that a name matches. The cost does not depend on the number of constraints, except for addresses. */
type Find<N> = (name: N) => string | undefined;

interface CompiledConstraints {
  readonly size: { readonly dns: number; readonly email: number; readonly uri: number; readonly ip: number };
  readonly dns: Find<string>;
  readonly email: Find<Mailbox>;
  readonly uri: Find<string>;
  readonly ip: Find<Uint8Array>;
}
interface Index {
  readonly permitted: CompiledConstraints;
  readonly excluded: CompiledConstraints;
}

const indices = new WeakMap<NameConstraints, Index>();

function indexOf(constraints: NameConstraints): Index {
  let index = indices.get(constraints);
  if (!index) {
    index = {
      permitted: compileConstraints(constraints.permitted),
      excluded: compileConstraints(constraints.excluded),
    };
    indices.set(constraints, index);
  }
  return index;
}

function compileConstraints({ dns, email, uri, ip }: NameConstraints['permitted']): CompiledConstraints {
  const domains = findDomain(email.filter((text) => !text.includes('@')));
  const mailboxes = new Map<string, string>();
  for (const text of email) {
    const mailbox = text.includes('@') ? parseMailbox(text) : undefined;
    if (mailbox) mailboxes.set(mailboxKey(mailbox), text);
  }
  return {
    size: { dns: dns.length, email: email.length, uri: uri.length, ip: ip.length },
    dns: findDomain(dns),
    email: (mailbox) => mailboxes.get(mailboxKey(mailbox)) ?? domains(mailbox.domain),
    uri: findDomain(uri),
    ip: (address) => {
      const range = ip.find((each) => isWithin(address, each));
      return range && printRange(range);
    },
  };
}

/** Returns a key by which mailboxes are compared: the local part is case-sensitive, and the domain is not. */
const mailboxKey = ({ local, domain }: Mailbox) => `${local}@${domain.toLowerCase()}`;

/**
 * Returns a function that finds the constraint that contains a domain. `.a.b` contains the domains below a.b, `a.b` also contains a.b
 * itself, and '' contains all domains.
 */
function findDomain(constraints: readonly string[]): Find<string> {
  const within = new Map<string, string>();
  const below = new Map<string, string>();
  for (const text of constraints) {
    const key = text.toLowerCase();
    if (key.startsWith('.')) below.set(key.slice(1), text);
    else within.set(key, text);
  }
  return (name) => {
    if (within.has('')) return '';
    if (within.size + below.size === 0) return undefined;
    const domain = name.toLowerCase();
    for (const parent of domainAndParents(domain)) {
      const constraint = within.get(parent) ?? (parent === domain ? undefined : below.get(parent));
      if (constraint !== undefined) return constraint;
    }
    return domain === '' ? undefined : below.get('');
  };
}

function isWithin(ip: Uint8Array, { address, mask }: IpRange): boolean {
  if (ip.length !== address.length) return false;
  for (let i = 0; i < ip.length; i++) if ((((ip[i] ?? 0) ^ (address[i] ?? 0)) & (mask[i] ?? 0)) !== 0) return false;
  return true;
}

function printRange({ address, mask }: IpRange): string {
  const bits = Array.from(mask, (byte) => byte.toString(2)).join('');
  return `${formatIp(address)}/${bits.replaceAll('0', '').length}`;
}

function readMailbox(name: string): Mailbox {
  const mailbox = parseMailbox(name);
  if (!mailbox || !isDomain(mailbox.domain)) throw new UncomparableName(`x509: cannot parse rfc822Name "${name}"`);
  return mailbox;
}

function readDomain(name: string): string {
  if (!isDomain(name)) throw new UncomparableName(`x509: cannot parse dnsName "${name}"`);
  return name;
}

/**
 * Returns the domain of a URI. @throws UncomparableName if the URI has no host or the host is an IP address, because constraints cannot
 * apply then.
 */
function readHost(uri: string): string {
  const authority = uriAuthority(uri);
  if (authority === '')
    throw new UncomparableName(`URI with empty host ("${uri}") cannot be matched against constraints`);
  const domain = authority.replace(/:\d*$/, '');
  if (domain.startsWith('[') || parseIp(domain))
    throw new UncomparableName(`URI with IP ("${uri}") cannot be matched against constraints`);
  return domain;
}

/** One kind of names: the names of this kind in a certificate, functions to read and print them, and the constraints for them. */
interface Kind<T, N> {
  readonly word: string;
  readonly names: readonly T[];
  readonly constraints: number;
  readonly permits: number;
  /** Reads a name. @throws UncomparableName */
  read(name: T): N;
  print(name: T): string;
  readonly permitted: Find<N>;
  readonly excluded: Find<N>;
}

/** Returns the message for the first name of the kind that violates the constraints; undefined when there is none. */
function problemOf<T, N>(kind: Kind<T, N>, budget: ComparisonBudget): string | undefined {
  const { word, names, constraints, permits, permitted, excluded } = kind;
  for (const encodedName of names) {
    const name = kind.read(encodedName);
    budget.left -= constraints;
    if (budget.left < 0) return 'too many constraints';
    const hit = excluded(name);
    if (hit !== undefined) return `${word} "${kind.print(encodedName)}" is excluded by constraint "${hit}"`;
    if (permits > 0 && permitted(name) === undefined)
      return `${word} "${kind.print(encodedName)}" is not permitted by any constraint`;
  }
  return undefined;
}

const same = <T>(value: T) => value;

function problemOfNames(names: GeneralNames, { permitted, excluded }: Index, budget: ComparisonBudget) {
  const kind = <K extends keyof GeneralNames>(word: string, key: K) => ({
    word,
    names: names[key],
    permits: permitted.size[key],
    constraints: permitted.size[key] + excluded.size[key],
    permitted: permitted[key],
    excluded: excluded[key],
  });
  const uri = kind('URI', 'uri');
  return (
    problemOf({ ...kind('email address', 'email'), read: readMailbox, print: same }, budget) ??
    problemOf({ ...kind('DNS name', 'dns'), read: readDomain, print: same }, budget) ??
    (uri.constraints > 0 ? problemOf({ ...uri, read: readHost, print: same }, budget) : undefined) ??
    problemOf({ ...kind('IP address', 'ip'), read: same, print: formatIp }, budget)
  );
}

/**
 * Checks the alternative names of the certificates below an authority against its constraints. E-mail addresses and DNS names must be
 * readable even when they are not constrained.
 * @returns the message for the first violation, or undefined.
 */
export function violatedConstraint(
  constraints: NameConstraints,
  below: readonly GeneralNames[],
  budget: ComparisonBudget,
): string | undefined {
  const index = indexOf(constraints);
  try {
    for (const names of below) {
      const problem = problemOfNames(names, index, budget);
      if (problem !== undefined) return problem;
    }
  } catch (error) {
    if (error instanceof UncomparableName) return error.message;
    throw error;
  }
  return undefined;
}
