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
/** Claims whose types were checked. An absent claim and null mean the same. */
type ClaimsOf<Types> = { readonly [name in keyof Types]?: ValueOf<Types[name]> | null };
type ValueOf<Type> = Type extends 'string'
  ? string
  : Type extends 'date'
    ? number
    : Type extends { readonly fields: infer Types }
      ? ClaimsOf<Types>
      : unknown;

const PUBLIC = {
  iss: 'string',
  sub: 'string',
  aud: 'audience',
  exp: 'date',
  nbf: 'date',
  iat: 'date',
  jti: 'string',
} as const satisfies ClaimTypes;
const REF = { name: 'serviceaccount.ref', fields: { name: 'string', uid: 'string' } } as const satisfies ClaimType;
const BOUND = {
  name: 'serviceaccount.kubernetes',
  fields: { namespace: 'string', serviceaccount: REF, pod: REF, secret: REF, node: REF, warnafter: 'date' },
} as const satisfies ClaimType;

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
  if (type === 'string' && typeof value === 'string') return;
  if (type !== 'string' && typeof value === 'object' && !Array.isArray(value)) {
    let first: string | undefined;
    for (const [name, member] of Object.entries(value as Members)) {
      const memberType = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      const problem = memberType && mismatch(member, memberType);
      first ??= problem;
    }
    return first;
  }
  const kind = jsonTypeName(value);
  const text = `json: cannot unmarshal ${kind} into Go value of type ${type === 'string' ? type : type.name}`;
  if (kind === 'number') throw new Error(text);
  return text;
}

/**
 * Reads the claims of a token that was created by a TokenRequest. @throws Error for a claim of the wrong type. The token is then rejected.
 */
export function readTokenClaims(claims: Members, privateClaim: string): TokenClaims {
  checkForm(claims, { [privateClaim]: BOUND });
  // The types have just been checked, so the casts are safe.
  const { jti, sub, exp, nbf, iat } = claims as ClaimsOf<typeof PUBLIC>;
  const own = (claims[privateClaim] ?? {}) as ClaimsOf<typeof BOUND.fields>;
  const { namespace, serviceaccount, pod, secret, node, warnafter } = own;
  return {
    id: jti ?? '',
    expires: exp == null ? undefined : expirySeconds(exp),
    notBefore: nbf == null ? undefined : beginningSeconds(nbf),
    issuedAt: iat == null ? undefined : beginningSeconds(iat),
    warnAfter: warnafter == null ? undefined : expirySeconds(warnafter),
    subject: sub ?? '',
    bound: {
      namespace: namespace ?? '',
      serviceAccount: objectClaim(serviceaccount) ?? { name: '', uid: '' },
      pod: objectClaim(pod),
      secret: objectClaim(secret),
      node: objectClaim(node),
    },
  };
}

function objectClaim(claim: ClaimsOf<typeof REF.fields> | null | undefined): ObjectClaim | undefined {
  return claim ? { name: claim.name ?? '', uid: claim.uid ?? '' } : undefined;
}

/** Returns claims of a token that is stored in a secret, as strings in the order of `names`. @throws Error for claims of the wrong type. */
export function readTexts(claims: Members, names: readonly string[]): readonly string[] {
  checkForm(claims, Object.fromEntries(names.map((name) => [name, 'string'])));
  return names.map((name) => (claims as ClaimsOf<Record<string, 'string'>>)[name] ?? ''); // `checkForm` makes the cast safe.
}

/** Returns the audiences of a token. The types of its claims must have been checked before. */
export function audiencesOf({ aud }: Members): readonly string[] {
  return typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud : [];
}
