import { formatTime } from '../meta/clock.js';
import type { Signatures } from '../signatures/signatures.js';
import { quote } from '../values/quote.js';
import { type Certificate, extendedKeyUsageOid } from './certificate.js';
import { sameBytes } from './der/reader.js';
import { type ComparisonBudget, violatedConstraint } from './names/constrained-names.js';
import { hostProblem } from './names/host-names.js';
import { signatureProblem } from './verify-signature.js';

export interface ChainRequest {
  readonly leaf: Certificate;
  /** The other certificates that the peer sent, in any order. */
  readonly intermediates: readonly Certificate[];
  readonly roots: readonly Certificate[];
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  /** The use that every certificate of the chain must allow. Default `clientAuth`. */
  readonly usage?: 'clientAuth' | 'serverAuth' | 'any';
  /** The host that the leaf must be valid for: a name or an address. Default: any host. */
  readonly host?: string;
  /** Checks the signatures. Default: the runtime's cryptography. */
  readonly signatures?: Signatures;
}

export type ChainResult =
  /** The certificates from the leaf to the root. */
  | { readonly ok: true; readonly chain: readonly Certificate[] }
  /** The reason, with Go's message. */
  | { readonly ok: false; readonly error: string };

/**
 * The maximum number of signature checks, which applies twice: to the selection of intermediates and to the construction of the chain.
 * `MAX_COMPARISONS` is the maximum number of comparisons of names with constraints. Go has the same limits.
 */
const MAX_SIGNATURES = 100;
const MAX_COMPARISONS = 250_000;
const LIMIT_REACHED = 'x509: signature check attempts limit reached while verifying certificate chain';

interface Search {
  readonly request: ChainRequest;
  /** The intermediates that a root has signed, directly or through other intermediates. */
  readonly authorities: readonly Certificate[];
  readonly names: ComparisonBudget;
  readonly checks: SignatureChecks;
  signaturesLeft: number;
  /** Whether a chain was found that is valid except for its usage. */
  wrongUsage: boolean;
}

/** Returns the error message of an invalid signature, or undefined. Each signature is checked once. */
type SignatureChecks = (child: Certificate, parent: Certificate) => Promise<string | undefined>;

function signatureChecks(signatures: Signatures | undefined): SignatureChecks {
  const known = new Map<Certificate, Map<Certificate, Promise<string | undefined>>>();
  return (child, parent) => {
    let ofChild = known.get(child);
    if (!ofChild) known.set(child, (ofChild = new Map()));
    let problem = ofChild.get(parent);
    if (!problem) ofChild.set(parent, (problem = signatureProblem(child, parent, signatures)));
    return problem;
  };
}

/** The first certificate that could have been the issuer, and the reason why it was not. */
interface Hint {
  readonly problem: string;
  readonly candidate: Certificate;
}

function expiryProblem({ notBefore, notAfter }: Certificate, now: number): string | undefined {
  const text = 'x509: certificate has expired or is not yet valid: current time';
  if (now < notBefore) return `${text} ${formatTime(now)} is before ${formatTime(notBefore)}`;
  if (now > notAfter) return `${text} ${formatTime(now)} is after ${formatTime(notAfter)}`;
  return undefined;
}

/** Returns why an authority must not be the next certificate of a chain (leaf first); undefined when it may be. */
function authorityProblem(
  authority: Certificate,
  isRoot: boolean,
  chain: readonly Certificate[],
  now: number,
): string | undefined {
  if (authority.unhandledCritical.length > 0) return 'x509: unhandled critical extension';
  const expired = expiryProblem(authority, now);
  if (expired) return expired;
  const { basicConstraints } = authority;
  if (!isRoot && !basicConstraints?.ca) return 'x509: certificate is not authorized to sign other certificates';
  const pathLength = basicConstraints?.pathLength;
  // `chain` includes the leaf, which does not count towards the path length.
  if (pathLength !== undefined && chain.length - 1 > pathLength)
    return 'x509: too many intermediates for path length constraint';
  return undefined;
}

/**
 * Returns the message for a name in a chain (leaf first) that violates the constraints of an authority above it; undefined when there is
 * none.
 */
function nameProblem(chain: readonly Certificate[], names: ComparisonBudget): string | undefined {
  for (const [i, { nameConstraints }] of chain.entries()) {
    if (i === 0 || !nameConstraints) continue;
    const below = chain.slice(0, i).flatMap(({ subjectAltNames }) => subjectAltNames ?? []);
    const violated = violatedConstraint(nameConstraints, below, names);
    if (violated)
      return `x509: a root or intermediate certificate is not authorized to sign for this name: ${violated}`;
  }
  return undefined;
}

/** Returns whether every certificate that limits its extended key usage allows `usage`. */
function usageAllowed(chain: readonly Certificate[], usage: ChainRequest['usage'] = 'clientAuth'): boolean {
  if (usage === 'any') return true;
  const requiredUsage = extendedKeyUsageOid[usage];
  return chain.every(
    ({ extendedKeyUsage: uses }) =>
      !uses?.length || uses.includes(requiredUsage) || uses.includes(extendedKeyUsageOid.any),
  );
}

/**
 * Returns the certificates of the pool that could be the issuer of a certificate. Certificates with the matching key identifier come first.
 */
function candidates(pool: readonly Certificate[], child: Certificate): Certificate[] {
  const rank = ({ subjectKeyId }: Certificate) =>
    !subjectKeyId || !child.authorityKeyId ? 1 : sameBytes(subjectKeyId, child.authorityKeyId) ? 0 : 2;
  return pool
    .filter((candidate) => sameBytes(candidate.subject.raw, child.issuer.raw))
    .sort((a, b) => rank(a) - rank(b));
}

/** Returns whether a chain already contains a certificate of this authority, that is, one with the same subject and public key. */
function chainContains(chain: readonly Certificate[], authority: Certificate): boolean {
  return chain.some(
    (c) => sameBytes(c.subject.raw, authority.subject.raw) && sameBytes(c.publicKey, authority.publicKey),
  );
}

function unknownAuthority(hint: Hint | undefined): string {
  const text = 'x509: certificate signed by unknown authority';
  if (!hint) return text;
  const { subject, serial } = hint.candidate;
  const name = subject.commonName || subject.organizations[0] || `serial:${serial}`;
  return `${text} (possibly because of ${quote(hint.problem)} while trying to verify candidate authority certificate ${quote(name)})`;
}

/**
 * Returns the intermediates that are signed by a root or by another returned intermediate. The search starts at the roots, so that an
 * untrusted key is never used and the names of an untrusted certificate are never compared. Returns undefined when the search needs too
 * many signature checks.
 */
async function signedAuthorities(
  { roots, intermediates }: ChainRequest,
  checks: SignatureChecks,
): Promise<readonly Certificate[] | undefined> {
  const verified = new Set<Certificate>();
  let left = intermediates;
  let attempts = MAX_SIGNATURES;
  for (let parents = roots; parents.length > 0 && left.length > 0; ) {
    const next: Certificate[] = [];
    for (const child of left) {
      for (const parent of candidates(parents, child)) {
        if (--attempts < 0) return undefined;
        if ((await checks(child, parent)) !== undefined) continue;
        next.push(child);
        verified.add(child);
        break;
      }
    }
    left = left.filter((child) => !verified.has(child));
    parents = next;
  }
  return intermediates.filter((each) => verified.has(each));
}

/** Searches depth first for a path from a chain's last certificate to a root. */
async function extend(chain: readonly Certificate[], search: Search): Promise<ChainResult> {
  const { roots, now, usage } = search.request;
  const child = chain[chain.length - 1];
  if (!child) return { ok: false, error: unknownAuthority(undefined) };
  let hint: Hint | undefined;
  let error: string | undefined;
  for (const pool of [roots, search.authorities]) {
    for (const authority of candidates(pool, child)) {
      if (chainContains(chain, authority)) continue;
      if (--search.signaturesLeft < 0) return { ok: false, error: LIMIT_REACHED };
      const unsigned = await search.checks(child, authority);
      const longer = [...chain, authority];
      if (!unsigned)
        error =
          authorityProblem(authority, pool === roots, chain, now) ??
          (pool === roots ? nameProblem(longer, search.names) : undefined);
      const problem = unsigned ?? error;
      if (problem) {
        hint ??= { problem, candidate: authority };
        continue;
      }
      if (pool === roots) {
        if (usageAllowed(longer, usage)) return { ok: true, chain: longer };
        search.wrongUsage = true;
        continue;
      }
      const result = await extend(longer, search);
      if (result.ok) return result;
      error = result.error;
    }
  }
  return { ok: false, error: error ?? unknownAuthority(hint) };
}

/**
 * Finds a chain from a peer's certificate to a trusted root and checks all of it, as Go does: names, signatures, validity, CA flags, path
 * lengths, key usage, extended key usage (nested), name constraints, critical extensions. The work is bounded for any certificates that the
 * peer sends. A leaf that is itself a root is accepted.
 */
export async function verifyChain(request: ChainRequest): Promise<ChainResult> {
  const { leaf, roots, now, usage } = request;
  if (leaf.unhandledCritical.length > 0) return { ok: false, error: 'x509: unhandled critical extension' };
  const expired = expiryProblem(leaf, now);
  if (expired) return { ok: false, error: expired };
  const misnamed = request.host === undefined ? undefined : hostProblem(leaf, request.host);
  if (misnamed) return { ok: false, error: misnamed };

  const isRoot = roots.some((root) => sameBytes(root.raw, leaf.raw));
  if (isRoot && usageAllowed([leaf], usage)) return { ok: true, chain: [leaf] };
  const wrongUsage = { ok: false, error: 'x509: certificate specifies an incompatible key usage' } as const;
  if (isRoot) return wrongUsage;
  const checks = signatureChecks(request.signatures);
  const authorities = await signedAuthorities(request, checks);
  if (!authorities) return { ok: false, error: LIMIT_REACHED };
  const search: Search = {
    request,
    authorities,
    checks,
    names: { left: MAX_COMPARISONS },
    signaturesLeft: MAX_SIGNATURES,
    wrongUsage: false,
  };
  const result = await extend([leaf], search);
  return result.ok || !search.wrongUsage ? result : wrongUsage;
}
