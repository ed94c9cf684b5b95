import type { Dialect } from '../meta/dialect.js';
import { generateKey } from '../pki/private-key.js';
import type { Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { parseReference } from '../values/uri.js';
import { signToken } from './compact-token.js';
import { loadKeys, loadSigningKey, type PublicJwk, type TokenAlgorithm, type TokenKey } from './token-key.js';

const YEAR = 8760 * 3_600_000;

/** How a server issues and verifies tokens of service accounts. Every member has a default. */
export interface AccountTokenOptions {
  /**
   * Names of the issuer. Signed tokens contain the first name, and tokens with any of the names are accepted. Default: a name derived from
   * the API dialect.
   */
  readonly issuers?: readonly string[];
  /** The private key, PEM: RSA, P-256, P-384 or P-521. Default: a P-256 key that is generated on first use. */
  readonly signingKey?: string;
  /** The private key that signs the tokens stored in Secrets, PEM. Default: the signing key. */
  readonly secretSigningKey?: string;
  /** The keys that verify tokens, PEM. Each string may contain any number of blocks. Default: the signing keys. */
  readonly keys?: readonly string[];
  /** The audiences that this server accepts in tokens. Default: the issuers. */
  readonly apiAudiences?: readonly string[];
  /** The maximum lifetime that a TokenRequest may request, in seconds. Default 0: any lifetime. */
  readonly maxExpirationSeconds?: number;
  /**
   * Whether tokens that are mounted into pods are valid for a year, so that old programs that read them only once keep working. Default
   * true.
   */
  readonly extendExpiration?: boolean;
  /** The URL of the key set in the discovery document; it must be an https URL. Default: the URL at this server. */
  readonly jwksUri?: string;
  /**
   * Milliseconds after which an unused token in a Secret is removed, if it was generated together with its service account. Default a year.
   */
  readonly secretCleanUpPeriod?: number;
  /**
   * Whether tokens stored in Secrets are refused when the Secret or the service account no longer exists. Bound tokens are refused in any
   * case. Default true.
   */
  readonly lookup?: boolean;
}

/** Signs and verifies the service account tokens of one server. */
export interface AccountTokens {
  /** Signs tokens with the first of `issuers` as the claim `iss`. */
  readonly issuer: TokenIssuer;
  /** Signs tokens that are stored in Secrets. */
  readonly secretIssuer: TokenIssuer;
  /** The value of {@link AccountTokenOptions.secretCleanUpPeriod}, in milliseconds. */
  readonly secretCleanUpPeriod: number;
  /** The accepted issuers; new tokens have the first one. */
  readonly issuers: readonly string[];
  /** The audiences of the server. */
  readonly apiAudiences: readonly string[];
  /** The maximum lifetime of a token in seconds; 0 means no limit of its own. */
  readonly maxExpirationSeconds: number;
  /** Whether tokens that are mounted into pods are valid for a year. */
  readonly extendExpiration: boolean;
  /** The URL of the keys in the discovery document; undefined for the default. */
  readonly jwksUri: string | undefined;
  /** The value of {@link AccountTokenOptions.lookup}. */
  readonly lookup: boolean;
  /** Whether the issuer's name is a URL from which other programs can fetch the keys (spec 14.13). */
  readonly discoverable: boolean;
  /** Returns the keys that verify tokens, in the order of the options. @throws TypeError when one of them cannot be read. */
  keys(): Promise<readonly TokenKey[]>;
  /** Returns the keys that verify tokens as a JSON Web Key Set. */
  jwks(): Promise<KeySet>;
}

/** The account tokens of a server, for its own authenticator. */
export interface OwnAccountTokens extends AccountTokens {
  /**
   * Returns the keys that verify tokens. Once they have been read, they are returned without a promise, because every token that is not
   * cached needs them.
   */
  verifyingKeys(): readonly TokenKey[] | Promise<readonly TokenKey[]>;
}

/** Creates the issuers and the verifying keys of a server's service account tokens. Keys are read on first use. */
export function accountTokens(
  options: AccountTokenOptions,
  { name, legacyTokenIssuer }: Pick<Dialect, 'name' | 'legacyTokenIssuer'>,
  signatures: Signatures = systemSignatures,
): OwnAccountTokens {
  const defaultIssuer = `https://${name}.default.svc`;
  const issuers = options.issuers && options.issuers.length > 0 ? options.issuers : [defaultIssuer];
  const [first = defaultIssuer] = issuers;
  let fresh: Promise<string> | undefined;
  const freshKey = () => (fresh ??= generateKey(signatures, 'service account tokens').then(({ pem }) => pem));
  const signingKey = options.signingKey ?? freshKey;
  const issuer = createTokenIssuer({ issuer: first, key: signingKey, signatures });
  const secretIssuer = createTokenIssuer({
    issuer: legacyTokenIssuer,
    key: options.secretSigningKey ?? signingKey,
    signatures,
  });
  let reading: Promise<readonly TokenKey[]> | undefined;
  let read: readonly TokenKey[] | undefined;
  const readKeys = async (): Promise<readonly TokenKey[]> => {
    if (options.keys && options.keys.length > 0)
      return (await Promise.all(options.keys.map((pem) => loadKeys(pem, signatures)))).flat();
    const own = [await issuer.key(), await secretIssuer.key()];
    return own.filter(({ kid }, i) => own.findIndex((key) => key.kid === kid) === i);
  };
  const keys = () => (reading ??= readKeys().then((all) => (read = all)));
  return {
    issuer,
    secretIssuer,
    secretCleanUpPeriod: options.secretCleanUpPeriod ?? YEAR,
    issuers,
    apiAudiences: options.apiAudiences && options.apiAudiences.length > 0 ? options.apiAudiences : issuers,
    maxExpirationSeconds: options.maxExpirationSeconds ?? 0,
    extendExpiration: options.extendExpiration ?? true,
    jwksUri: options.jwksUri,
    lookup: options.lookup ?? true,
    // Only requests for the discovery documents read this member, so the URL is not parsed at the start.
    get discoverable() {
      return isPlainHttps(first);
    },
    keys,
    verifyingKeys: () => read ?? keys(),
    jwks: async () => keySet(await keys()),
  };
}

/** Returns whether a text is an https URL without a query and a fragment, as upstream parses it. */
function isPlainHttps(text: string): boolean {
  const url = parseReference(text);
  return typeof url !== 'string' && url.scheme === 'https' && url.query === '' && !url.fragment;
}

interface TokenIssuerOptions {
  /** The claim `iss` of the tokens. */
  readonly issuer: string;
  /** The private key, PEM: RSA, P-256, P-384 or P-521; or a function that fetches it on first use. */
  readonly key: string | (() => Promise<string>);
  /** The key's name in token headers. Default: derived from the public key (spec 14.6). */
  readonly kid?: string;
  /** The implementation of signatures. Default: the runtime's. */
  readonly signatures?: Signatures;
}

/** Signs tokens of one issuer with one key. */
export interface TokenIssuer {
  /** The issuer, the claim `iss` of its tokens. */
  readonly issuer: string;
  /** Returns a token with these claims, and with `iss` if they do not contain it. @throws TypeError when the key cannot be read. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the public half of the key as a JSON Web Key Set. @throws TypeError when the key cannot be read. */
  jwks(): Promise<KeySet>;
  /** Returns the key, with which the tokens can also be verified. @throws TypeError when the key cannot be read. */
  key(): Promise<TokenKey>;
}

/**
 * Makes an issuer of service account tokens. The key is read once, on first use. A caller that needs to know early whether the key can be
 * read awaits `key()`.
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

/** Public keys as published at the issuer's address (spec 14.13). */
export interface KeySet {
  readonly keys: readonly (PublicJwk & { readonly use: 'sig'; readonly kid: string; readonly alg: TokenAlgorithm })[];
}

/** Returns the public halves of the keys, in order. The members of each key are in the order in which upstream writes them. */
function keySet(keys: readonly TokenKey[]): KeySet {
  return {
    keys: keys.map(({ kid, algorithm, publicJwk }) => {
      const { kty, ...numbers } = publicJwk;
      // The object has all members of `publicJwk`, only in another order, so the cast is safe.
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
