import type { PublicJwk, TokenAlgorithm, TokenKey } from './token-key.js';

/** Public keys as published at the issuer's address (spec 14.13). */
export interface KeySet {
  readonly keys: readonly (PublicJwk & { readonly use: 'sig'; readonly kid: string; readonly alg: TokenAlgorithm })[];
}

/** Returns the public halves of the keys, in order, with their members in the order in which the reference writes them. */
export function keySet(keys: readonly TokenKey[]): KeySet {
  return {
    keys: keys.map(({ kid, algorithm, publicJwk }) => {
      const { kty, ...numbers } = publicJwk;
      // The spread of the remaining members only puts them in another order.
      return {
        use: 'sig',
        kty,
        kid,
        ...(kty === 'EC' ? { crv: publicJwk.crv } : {}),
        alg: algorithm,
        ...numbers,
      } as KeySet['keys'][number];
    }),
  };
}
