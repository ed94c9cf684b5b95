import { type Clock, systemClock } from '../meta/clock.js';
import type { Fetch } from '../meta/fetch.js';
import { encodePem } from '../pki/pem.js';
import type { Signatures } from '../signatures/signatures.js';
import { signToken } from '../tokens/compact-token.js';
import { loadKeys, type SigningTokenKey } from '../tokens/token-key.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { insecureDeterministicSignatures } from './insecure-deterministic.js';
import type { IssuerPort, PortAnswer } from './issuer-port.js';

/** The options of {@link createIssuer}. */
export interface IssuerOptions {
  /**
   * The https URL of the issuer, as in the claim `iss`. Default `https://issuer.example`; for an issuer with a port, the URL of that port.
   */
  readonly url?: string;
  /** The default audience of the issuer's tokens. Default `orch`. */
  readonly audience?: string;
  /** The signature algorithm. Default `RS256`, which every server accepts; keys for `ES256` are generated faster. */
  readonly algorithm?: 'RS256' | 'ES256';
  /**
   * Determines the keys, so that the same claims at the same time of `clock` produce the same token. It requires the algorithm `ES256` and
   * Node, and none of the keys is secret. Default: random keys.
   */
  readonly seed?: number;
  /**
   * The users who can log in at the issuer's token endpoint with a password (RFC 6749, section 4.3), and the claims of their tokens.
   * Default: none.
   */
  readonly logins?: Readonly<Record<string, { readonly password: string; readonly claims: IssuedClaims }>>;
  /** The clock for the times in tokens. Default: the machine's. */
  readonly clock?: Clock;
}

/** Claims of a token; times are seconds since the epoch. */
export interface IssuedClaims {
  /** The subject: the user of the token. */
  readonly sub: string;
  /** The groups of the user, in the claim `groups`. */
  readonly groups?: readonly string[];
  /** The expiry. Default: an hour from now. */
  readonly exp?: number;
  /** The audience. Default: the issuer's audience. */
  readonly aud?: string | readonly string[];
  readonly [claim: string]: unknown;
}

/** An OpenID Connect issuer for tests of logins. */
export interface Issuer {
  /** The URL of the issuer, for `oidc({ issuerUrl })`. */
  readonly url: string;
  /** The audience of the tokens, for `oidc({ clientId })`. */
  readonly audience: string;
  /** The CA certificate (PEM) that verifies the certificate of the issuer's HTTPS port; absent for an issuer without a port. */
  readonly certificateAuthority?: string;
  /** Handles requests to the issuer: discovery, keys, logins. It rejects for every other URL. */
  readonly fetch: Fetch;
  /** Returns a signed token. Every claim can be set, including `iss` and `iat`. */
  token(claims: IssuedClaims): Promise<string>;
  /**
   * Generates a key, with which all further tokens are signed.
   * @param options.keep whether tokens of earlier keys stay valid. Default true.
   */
  rotateKeys(options?: { readonly keep?: boolean }): Promise<void>;
  /** Closes the port of the issuer, if it has one. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const OPTIONS = ['url', 'audience', 'algorithm', 'seed', 'logins', 'clock'];
const HOUR = 3600;
const DISCOVERY = '/.well-known/openid-configuration';
const KEYS = '/keys';
const TOKENS = '/token';
const PARAMETERS = {
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
} as const;

/**
 * Creates an issuer in this process. A server reaches it through the `fetch` of the result, which must be passed to the server.
 * @throws TypeError for a seed that is not a whole number, or for a seed with the algorithm `RS256`.
 */
export async function createIssuer(options: IssuerOptions = {}): Promise<Issuer> {
  return (await openIssuer(options)).issuer;
}

/**
 * Creates an issuer on a port of 127.0.0.1, with a certificate that a CA of its own issued.
 * @param options.port the port; default 0: any free port.
 * @throws TypeError if the runtime is not Node.
 */
export async function listenAsIssuer(options: IssuerOptions & { readonly port?: number } = {}): Promise<Issuer> {
  refuseUnknownMembers('listenAsIssuer', options, [...OPTIONS, 'port']);
  const { openPort } = await import('./issuer-port.js');
  const { port: number = 0, ...others } = options;
  const port = await openPort(number);
  try {
    const { issuer, answer } = await openIssuer({ url: port.url, ...others }, port);
    port.answer(answer);
    return issuer;
  } catch (error) {
    await port.close();
    throw error;
  }
}

async function openIssuer(options: IssuerOptions, port?: IssuerPort): Promise<{ issuer: Issuer; answer: PortAnswer }> {
  refuseUnknownMembers(port ? 'listenAsIssuer' : 'createIssuer', options, OPTIONS);
  const { url = 'https://issuer.example', audience = 'orch', seed, clock = systemClock } = options;
  const { algorithm = seed === undefined ? 'RS256' : 'ES256' } = options;
  if (!Object.hasOwn(PARAMETERS, algorithm)) throw new TypeError('algorithm must be RS256 or ES256');
  const freshKey = seed === undefined ? () => randomKey(algorithm) : keysOf(seed, algorithm);
  let key = await freshKey();
  let published = [key];
  const token = async (claims: IssuedClaims) => {
    const now = Math.floor(clock.now() / 1000);
    return await signToken({ iss: url, aud: audience, iat: now, exp: now + HOUR, ...claims }, key);
  };
  const answer: PortAnswer = async (method, path, body) => {
    if (method === 'POST' && path === TOKENS) return await logIn(new URLSearchParams(body), options, token);
    if (method === 'GET' && path === KEYS) return Response.json({ keys: published.map(publicKeyOf) });
    if (method === 'GET' && path === DISCOVERY) return Response.json(discovery(url, algorithm));
    return new Response('not found', { status: 404 });
  };
  const close = async () => await port?.close();
  const issuer: Issuer = {
    url,
    audience,
    ...(port ? { certificateAuthority: port.certificateAuthority } : {}),
    async fetch(requestUrl, { method, body = '' }) {
      if (!requestUrl.startsWith(`${url}/`)) throw new TypeError(`there is no server at ${requestUrl}`);
      return await answer(method, requestUrl.slice(url.length), body);
    },
    token,
    async rotateKeys({ keep = true } = {}) {
      key = await freshKey();
      published = keep ? [...published, key] : [key];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return { issuer, answer };
}

const discovery = (url: string, algorithm: string) => ({
  issuer: url,
  jwks_uri: `${url}${KEYS}`,
  token_endpoint: `${url}${TOKENS}`,
  grant_types_supported: ['password'],
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [algorithm],
});

async function logIn(
  form: URLSearchParams,
  { logins = {} }: IssuerOptions,
  token: (claims: IssuedClaims) => Promise<string>,
): Promise<Response> {
  const refuse = (error: string) => Response.json({ error }, { status: 400 });
  if (form.get('grant_type') !== 'password') return refuse('unsupported_grant_type');
  const name = form.get('username') ?? '';
  const login = Object.hasOwn(logins, name) ? logins[name] : undefined;
  if (!login || login.password !== form.get('password')) return refuse('invalid_grant');
  return Response.json({ id_token: await token(login.claims), token_type: 'Bearer', expires_in: HOUR });
}

const publicKeyOf = ({ kid, algorithm, publicJwk }: SigningTokenKey) => ({
  use: 'sig',
  kid,
  alg: algorithm,
  ...publicJwk,
});

async function randomKey(algorithm: keyof typeof PARAMETERS): Promise<SigningTokenKey> {
  const pair = (await crypto.subtle.generateKey(PARAMETERS[algorithm], true, ['sign', 'verify'])) as CryptoKeyPair;
  return await signingKey(new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)));
}

/** Returns a function that creates the next key of the sequence that follows from a seed. */
function keysOf(seed: number, algorithm: keyof typeof PARAMETERS): () => Promise<SigningTokenKey> {
  if (algorithm !== 'ES256') throw new TypeError(`a seed can only be used with ES256, not with ${algorithm}`);
  const signatures = insecureDeterministicSignatures(seed);
  let keys = 0;
  return async () => {
    const { pkcs8 } = await signatures.generateKey(`issuer ${++keys}`);
    return await signingKey(pkcs8, signatures);
  };
}

async function signingKey(pkcs8: Uint8Array, signatures?: Signatures): Promise<SigningTokenKey> {
  const [key] = await loadKeys(encodePem('PRIVATE KEY', pkcs8), signatures);
  return key as SigningTokenKey; // `pkcs8` is a private key, so the loaded key can sign and the cast is safe.
}
