import type { Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { type KeySet, keySet } from './key-set.js';
import { signToken } from './sign-token.js';
import { loadSigningKey, type TokenKey } from './token-key.js';

export interface TokenIssuerOptions {
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  /** The private key, PEM: RSA, P-256, P-384 or P-521; or a function that fetches it on first use. */
  readonly key: string | (() => Promise<string>);
  /** The key's name in token headers. Default: derived from the public key (spec 14.6). */
  readonly kid?: string;
  /** Default: the runtime's. */
  readonly signatures?: Signatures;
}

/** Signs tokens of one issuer with one key. */
export interface TokenIssuer {
  readonly issuer: string;
  /** Returns a token with these claims and `iss` (unless given). @throws TypeError when the key cannot be read. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the public half of the key as a key set document. @throws TypeError when the key cannot be read. */
  jwks(): Promise<KeySet>;
  /** Returns the key, which also verifies. @throws TypeError when it cannot be read. */
  key(): Promise<TokenKey>;
}

/**
 * Makes an issuer of service account tokens. The key is read once, on first use; await `key()` to find out early whether it can be read.
 */
export function createTokenIssuer({
  issuer,
  key: pem,
  kid,
  signatures = systemSignatures,
}: TokenIssuerOptions): TokenIssuer {
  let loaded: ReturnType<typeof loadSigningKey> | undefined;
  const read = async () => {
    const key = await loadSigningKey(typeof pem === 'string' ? pem : await pem(), signatures);
    return kid === undefined ? key : { ...key, kid };
  };
  const load = () => {
    loaded ??= read();
    return loaded;
  };
  return {
    issuer,
    key: load,
    sign: async (claims) => await signToken({ iss: issuer, ...claims }, await load()),
    jwks: async () => keySet([await load()]),
  };
}
