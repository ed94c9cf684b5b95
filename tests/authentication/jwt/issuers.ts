import { SignJWT } from 'jose';
import type { Fetch } from '../../../src/meta/fetch.js';

type Key = Awaited<ReturnType<typeof generate>>;
const generate = async (alg: string) =>
  await (crypto.subtle.generateKey(
    alg.startsWith('ES')
      ? { name: 'ECDSA', namedCurve: alg === 'ES256' ? 'P-256' : 'P-384' }
      : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  ) as Promise<CryptoKeyPair>);

/** An issuer that responds through `fetch`. Its documents can be changed, and its requests are counted. */
export class TestIssuer {
  readonly url: string;
  readonly keys = new Map<string, { readonly pair: Key; readonly alg: string }>();
  /** The headers of the key set. */
  headers: Record<string, string> = {};
  /** Responses that replace its own, by path. */
  readonly instead = new Map<string, () => Response | Promise<Response>>();
  readonly asked: string[] = [];

  constructor(url = 'https://issuer.example') {
    this.url = url;
  }

  static async create(url?: string, kid = 'a', alg = 'ES256'): Promise<TestIssuer> {
    const issuer = new TestIssuer(url);
    await issuer.addKey(kid, alg);
    return issuer;
  }

  async addKey(kid: string, alg = 'ES256'): Promise<void> {
    this.keys.set(kid, { pair: await generate(alg), alg });
  }

  get keysUrl(): string {
    return `${this.url}/keys`;
  }

  async token(
    claims: Record<string, unknown> = {},
    kid = [...this.keys.keys()].at(-1) ?? '',
    from: TestIssuer = this,
  ): Promise<string> {
    const key = from.keys.get(kid);
    if (!key) throw new Error(`no key ${kid}`);
    const all = { iss: this.url, aud: 'client', sub: 'jane', exp: 4_000_000_000, ...claims };
    return await new SignJWT(all).setProtectedHeader({ alg: key.alg, kid }).sign(key.pair.privateKey);
  }

  readonly fetch: Fetch = async (url) => {
    const path = url.slice(this.url.length);
    this.asked.push(path);
    const other = this.instead.get(path);
    if (other) return await other();
    if (path === '/.well-known/openid-configuration')
      return Response.json({ issuer: this.url, jwks_uri: this.keysUrl });
    if (path === '/keys') return Response.json(await this.keySet(), { headers: this.headers });
    return new Response('not found', { status: 404 });
  };

  async keySet(): Promise<{ keys: object[] }> {
    const keys = [...this.keys].map(async ([kid, { pair }]) => {
      const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey);
      delete jwk.alg;
      delete jwk.key_ops;
      return { ...jwk, kid, use: 'sig' };
    });
    return { keys: await Promise.all(keys) };
  }
}

/** Sends a request to the issuer with whose URL the request's URL begins. */
export function fetchOf(...issuers: readonly TestIssuer[]): Fetch {
  return async (url, options) => {
    const issuer = issuers.find((each) => url.startsWith(`${each.url}/`));
    if (!issuer) throw new TypeError(`no server at ${url}`);
    return await issuer.fetch(url, options);
  };
}
