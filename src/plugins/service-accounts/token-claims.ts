import { jsonTypeName } from '../../json/number-text.js';
import { beginningSeconds, expirySeconds } from '../../tokens/compact-token.js';

/** The name and uid of an object that a token refers to; '' if the token does not contain them. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid: string;
}

/** The claims of service account tokens, after their types were checked (spec 14.6). Times are seconds since the epoch. */
export interface TokenClaims {
  readonly id: string;
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
  readonly issuedAt: number | undefined;
  /** The time by which the client should have replaced the token. */
  readonly warnAfter: number | undefined;
  readonly subject: string;
  /** The private claim (`kubernetes.io` in the k8s dialect). It names the service account, and the objects that the token is bound to. */
  readonly bound: {
    readonly namespace: string;
    readonly serviceAccount: ObjectClaim;
    readonly pod: ObjectClaim | undefined;
    readonly secret: ObjectClaim | undefined;
    readonly node: ObjectClaim | undefined;
  };
}

type Members = Readonly<Record<string, unknown>>;

/** The type that a claim must have. A struct has the name that appears in the error messages of upstream's decoder. */
type ClaimType = 'string' | 'audience' | 'date' | { readonly name: string; readonly fields: ClaimTypes };
type ClaimTypes = Readonly<Record<string, ClaimType>>;

const PUBLIC: ClaimTypes = {
  iss: 'string',
  sub: 'string',
  aud: 'audience',
  exp: 'date',
  nbf: 'date',
  iat: 'date',
  jti: 'string',
};
const REF: ClaimType = { name: 'serviceaccount.ref', fields: { name: 'string', uid: 'string' } };
const BOUND: ClaimType = {
  name: 'serviceaccount.kubernetes',
  fields: { namespace: 'string', serviceaccount: REF, pod: REF, secret: REF, node: REF, warnafter: 'date' },
};

/**
 * Checks the types of the registered claims, then those of the private claims `own`, in the order in which upstream decodes them.
 * @throws Error for a claim of the wrong type. The token is then rejected.
 */
function checkForm(claims: Members, own: ClaimTypes): void {
  for (const fields of [PUBLIC, own]) {
    const problem = mismatch(claims, { name: '', fields });
    if (problem !== undefined) throw new Error(problem);
  }
}

/**
 * Returns the message for the first value of the wrong type, if upstream's decoder continues after it. @throws Error for values of the
 * wrong type that end decoding: times, audiences and numbers.
 */
function mismatch(value: unknown, type: ClaimType): string | undefined {
  if (type === 'audience') {
    if (typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'))) return;
    throw new Error('square/go-jose/jwt: expected string or array value to unmarshal to Audience');
  }
  if (value === null) return;
  if (type === 'date') {
    if (typeof value === 'number' && Number.isFinite(value)) return;
    throw new Error('square/go-jose/jwt: expected number value to unmarshal NumericDate');
  }
  const kind = jsonTypeName(value);
  if (kind === 'object' && type !== 'string') {
    let first: string | undefined;
    for (const [name, member] of Object.entries(value as Members)) {
      const memberType = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      const problem = memberType && mismatch(member, memberType);
      first ??= problem;
    }
    return first;
  }
  if (kind === type) return;
  const text = `json: cannot unmarshal ${kind} into Go value of type ${type === 'string' ? type : type.name}`;
  if (kind === 'number') throw new Error(text);
  return text;
}

/**
 * Reads the claims of a token that was created by a TokenRequest. @throws Error for a claim of the wrong type. The token is then rejected.
 */
export function readTokenClaims(claims: Members, privateClaim: string): TokenClaims {
  checkForm(claims, { [privateClaim]: BOUND });
  const bound = member<Members>(claims, privateClaim) ?? {};
  const expires = member<number>(claims, 'exp');
  const notBefore = member<number>(claims, 'nbf');
  const issuedAt = member<number>(claims, 'iat');
  const warnAfter = member<number>(bound, 'warnafter');
  return {
    id: text(claims, 'jti'),
    expires: expires && expirySeconds(expires),
    notBefore: notBefore && beginningSeconds(notBefore),
    issuedAt: issuedAt && beginningSeconds(issuedAt),
    warnAfter: warnAfter && expirySeconds(warnAfter),
    subject: text(claims, 'sub'),
    bound: {
      namespace: text(bound, 'namespace'),
      serviceAccount: objectClaim(bound, 'serviceaccount') ?? { name: '', uid: '' },
      pod: objectClaim(bound, 'pod'),
      secret: objectClaim(bound, 'secret'),
      node: objectClaim(bound, 'node'),
    },
  };
}

/** Returns claims of a token that is stored in a secret, as strings in the order of `names`. @throws Error for claims of the wrong type. */
export function readTexts(claims: Members, names: readonly string[]): readonly string[] {
  checkForm(claims, Object.fromEntries(names.map((name) => [name, 'string'])));
  return names.map((name) => text(claims, name));
}

/** Returns the audiences of a token. The types of its claims must have been checked before. */
export function audiencesOf({ aud }: Members): readonly string[] {
  return typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud : [];
}

/** Returns a claim; undefined when the claim is absent or null. Its type must have been checked before, because it is not checked here. */
function member<T>(claims: Members, name: string): T | undefined {
  return Object.hasOwn(claims, name) ? ((claims[name] ?? undefined) as T | undefined) : undefined;
}
const text = (claims: Members, name: string): string => member<string>(claims, name) ?? '';

function objectClaim(claims: Members, name: string): ObjectClaim | undefined {
  const value = member<Members>(claims, name);
  return value && { name: text(value, 'name'), uid: text(value, 'uid') };
}
