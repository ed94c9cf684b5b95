/** The name and uid of an object a token speaks of; '' where the token does not say. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid: string;
}

/** What service account tokens say, read and checked for its form (spec 14.6). Times are seconds since the epoch. */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly id: string;
  readonly expires?: number;
  readonly notBefore?: number;
  readonly issuedAt?: number;
  /** The claims under the dialect's own key. */
  readonly bound: {
    readonly namespace: string;
    readonly serviceAccount: ObjectClaim;
    readonly pod?: ObjectClaim;
    readonly secret?: ObjectClaim;
    readonly node?: ObjectClaim;
  };
}

type Members = Readonly<Record<string, unknown>>;

/** @throws Error for claims of the wrong form: such a token has no user. */
export function readTokenClaims(claims: Members, privateClaim: string): TokenClaims {
  const { exp, nbf, iat } = claims;
  const bound = members(claims, privateClaim) ?? {};
  const pod = objectClaim(bound, 'pod');
  const secret = objectClaim(bound, 'secret');
  const node = objectClaim(bound, 'node');
  return {
    issuer: text(claims, 'iss'),
    subject: text(claims, 'sub'),
    audiences: audiences(claims['aud']),
    id: text(claims, 'jti'),
    ...optionalTime('expires', 'exp', exp),
    ...optionalTime('notBefore', 'nbf', nbf),
    ...optionalTime('issuedAt', 'iat', iat),
    bound: {
      namespace: text(bound, 'namespace'),
      serviceAccount: objectClaim(bound, 'serviceaccount') ?? { name: '', uid: '' },
      ...(pod ? { pod } : {}),
      ...(secret ? { secret } : {}),
      ...(node ? { node } : {}),
    },
  };
}

/** A claim that is a text; '' when it is absent. @throws Error when it is something else. */
export function text(claims: Members, name: string): string {
  const value = own(claims, name) ?? '';
  return typeof value === 'string' ? value : malformed(name);
}

const own = (claims: Members, name: string) => (Object.hasOwn(claims, name) ? claims[name] : undefined);

function malformed(name: string): never {
  throw new Error(`token claim "${name}" is malformed`);
}

function members(claims: Members, name: string): Members | undefined {
  const value = own(claims, name) ?? undefined;
  if (value === undefined) return undefined;
  // A JSON object is a record of its members.
  return typeof value === 'object' && !Array.isArray(value) ? (value as Members) : malformed(name);
}

function objectClaim(claims: Members, name: string): ObjectClaim | undefined {
  const value = members(claims, name);
  return value && { name: text(value, 'name'), uid: text(value, 'uid') };
}

function optionalTime<Name extends string>(
  name: Name,
  claim: string,
  value: unknown,
): { readonly [N in Name]?: number } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'number') return malformed(claim);
  // The compiler takes one computed member for a record of such.
  return { [name]: value } as { [N in Name]: number };
}

function audiences(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : malformed('aud');
}
