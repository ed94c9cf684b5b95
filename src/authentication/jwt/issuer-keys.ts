import { isJsonObject, parseJsonOrUndefined } from '../../json/value.js';
import { type Clock, isYoung, reading, sleep } from '../../meta/clock.js';
import type { OutboundTls } from '../../meta/fetch.js';
import { run } from '../../meta/flow.js';
import type { Host } from '../../meta/host.js';
import { type BoundedAnswer, boundedRequest } from '../../outbound/bounded-request.js';
import { type UnverifiedToken, verifySignature } from '../../tokens/compact-token.js';
import { keyOfJwk, type PublishedKey } from '../../tokens/key-of-jwk.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';

const SECOND = 1000;
const TIMEOUT = 30 * SECOND;
/** The pause after a failed discovery (spec 11.16). */
const DISCOVERY_PAUSE = 10 * SECOND;
/** The minimum time between two fetches of keys, even if many tokens are signed with unknown keys. */
const FETCH_PAUSE = SECOND;
/**
 * The maximum number of tokens that may wait for the discovery or for a fetch of keys. Anyone can send tokens that name the issuer, and each
 * waiting token occupies one of the server's limited slots for authenticating requests.
 */
const MAX_WAITING = 50;
/** If no known key verifies a token, the keys are fetched again only if the known ones expire within this time, in milliseconds. */
const NEAR_END = 30 * SECOND;
/**
 * The minimum age in milliseconds at which keys are fetched again in the background, even if the issuer states a shorter lifetime or none.
 * A refresh drops the keys that the issuer has withdrawn.
 */
const REFRESH = 60 * SECOND;
const LONGEST_LIFETIME = 24 * 3600 * SECOND;
const MAX_BYTES = 1024 * 1024;
const MAX_KEYS = 256;
const MAX_REPEATED = 512;

export interface IssuerPlace {
  readonly url: string;
  /** The URL of the discovery document; '' for `/.well-known/openid-configuration` below the issuer's URL. */
  readonly discoveryUrl: string;
  /** The CA bundle for connections to the issuer as PEM; '' for the system's CA certificates. */
  readonly certificateAuthority: string;
}

interface Fetched {
  readonly keys: readonly PublishedKey[];
  /** The clock reading at which the keys were fetched. */
  readonly since: number;
  /** The lifetime that the issuer states, in milliseconds; 0 when it states none. */
  readonly lifetime: number;
}

/** Finds and fetches the keys that an issuer publishes (spec 11.16). */
export class IssuerKeys {
  readonly #place: IssuerPlace;
  readonly #host: Host;
  readonly #tls: OutboundTls | undefined;
  #keysUrl: string | undefined;
  #discovery: Promise<string | undefined> | undefined;
  /** The clock reading at which discovery last failed. */
  #discoveryFailed: number | undefined;
  #fetched: Fetched | undefined;
  #fetching: Promise<Fetched> | undefined;
  /** The number of tokens that wait for the discovery or for the current fetch. */
  #waiting = 0;
  #lastFetch: number | undefined;

  constructor(place: IssuerPlace, host: Host) {
    this.#place = place;
    this.#host = host;
    const { certificateAuthority } = place;
    this.#tls = certificateAuthority === '' ? undefined : { certificateAuthority };
  }

  /** Discovers the URL of the issuer's keys. Does not throw. @returns the reason if the discovery failed; undefined on success. */
  async discover(): Promise<string | undefined> {
    if (this.#keysUrl !== undefined) return undefined;
    const { clock } = this.#host;
    if (this.#discoveryFailed !== undefined && isYoung(clock, this.#discoveryFailed, DISCOVERY_PAUSE))
      return 'discovery failed less than 10 seconds ago';
    if (this.#waiting >= MAX_WAITING) return 'too many tokens wait for the discovery';
    this.#discovery ??= this.#tryDiscovery().finally(() => {
      this.#discovery = undefined;
    });
    this.#waiting++;
    return await this.#discovery.finally(() => this.#waiting--);
  }

  /**
   * Checks a token's signature, first with the keys that are already known. If none of them verifies it, the keys are fetched again. In two
   * cases the token is rejected at once instead: the known keys do not expire soon ({@link NEAR_END}), or {@link MAX_WAITING} tokens
   * already wait for a fetch.
   * @throws Error with the reason, as token reviews report it.
   */
  async verify(token: UnverifiedToken, kid: string, algorithm: string): Promise<void> {
    const known = this.#fetched;
    if (known && (await this.#isSigned(token, kid, algorithm, known.keys))) {
      this.#refresh(known);
      return;
    }
    if (known && !endsSoon(known, this.#host.clock)) throw new Error('failed to verify id token signature');
    if (this.#waiting >= MAX_WAITING) throw new Error('failed to verify id token signature');
    this.#waiting++;
    const { keys } = await this.#fetchOnce()
      .catch((error: unknown) => {
        throw new Error(`fetching keys ${messageOf(error)}`);
      })
      .finally(() => this.#waiting--);
    if (!(await this.#isSigned(token, kid, algorithm, keys))) throw new Error('failed to verify id token signature');
  }

  async #isSigned(
    token: UnverifiedToken,
    kid: string,
    algorithm: string,
    keys: readonly PublishedKey[],
  ): Promise<boolean> {
    const fitting = keys.filter(({ onlyFor = algorithm }) => onlyFor === algorithm);
    try {
      await run(verifySignature(token, kid, fitting, this.#host.signatures));
      return true;
    } catch {
      return false;
    }
  }

  /** Starts a fetch of the keys in the background when a refresh is due, so that withdrawn keys disappear. */
  #refresh({ since, lifetime }: Fetched): void {
    if (this.#fetching || isYoung(this.#host.clock, since, Math.max(lifetime, REFRESH))) return;
    this.#fetchOnce().catch((error: unknown) => {
      this.#host.log(`oidc: keys of ${this.#place.url} are not refreshed: ${messageOf(error)}`);
    });
  }

  #fetchOnce(): Promise<Fetched> {
    this.#fetching ??= this.#fetchAfterPause().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchAfterPause(): Promise<Fetched> {
    const { clock } = this.#host;
    const last = this.#lastFetch;
    if (last !== undefined && isYoung(clock, last, FETCH_PAUSE))
      await sleep(clock, FETCH_PAUSE, undefined, 'next fetch of the keys of an issuer');
    this.#lastFetch = reading(clock);
    this.#fetched = await this.#fetchKeys();
    return this.#fetched;
  }

  async #fetchKeys(): Promise<Fetched> {
    const { clock, signatures } = this.#host;
    const answer = await this.#get(this.#keysUrl ?? '').catch((error: unknown) => {
      throw new Error(`oidc: get keys failed ${messageOf(error)}`);
    });
    if (answer.status !== 200)
      throw new Error(`oidc: get keys failed: ${answer.statusLine} ${answer.text.slice(0, MAX_REPEATED)}`);
    const set = parseJsonOrUndefined(answer.text);
    const list = isJsonObject(set) ? set['keys'] : undefined;
    if (!Array.isArray(list)) throw new Error('oidc: failed to decode keys: the key set has no list "keys"');
    if (list.length > MAX_KEYS) throw new Error(`oidc: failed to decode keys: there are more than ${MAX_KEYS}`);
    const keys = await Promise.all(list.map((jwk) => keyOfJwk(jwk, signatures)));
    return {
      keys: keys.filter((key) => key !== undefined),
      since: reading(clock),
      lifetime: lifetimeOf(answer.headers, clock),
    };
  }

  async #tryDiscovery(): Promise<string | undefined> {
    try {
      this.#keysUrl = await this.#discoverKeysUrl();
      return undefined;
    } catch (error) {
      this.#discoveryFailed = reading(this.#host.clock);
      this.#host.log(`oidc authenticator: initializing plugin: ${messageOf(error)}`);
      return messageOf(error);
    }
  }

  async #discoverKeysUrl(): Promise<string> {
    const { url, discoveryUrl } = this.#place;
    const usual = `${url.endsWith('/') ? url.slice(0, -1) : url}/.well-known/openid-configuration`;
    const answer = await this.#get(discoveryUrl === '' ? usual : discoveryUrl);
    if (answer.status !== 200) throw new Error(`${answer.statusLine}: ${answer.text.slice(0, MAX_REPEATED)}`);
    const document = parseJsonOrUndefined(answer.text);
    if (!isJsonObject(document)) throw new Error('oidc: failed to decode provider discovery object');
    const { issuer, jwks_uri: keysUrl } = document;
    if (issuer !== url)
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${quote(url)} got ${quote(String(issuer ?? ''))}`,
      );
    if (typeof keysUrl !== 'string' || !/^https:\/\//i.test(keysUrl) || !URL.canParse(keysUrl))
      throw new Error('oidc: jwks_uri in the discovery document is not an https URL');
    return keysUrl.replace(/^https/i, 'https');
  }

  #get(url: string): Promise<BoundedAnswer> {
    return boundedRequest(this.#host, url, {
      method: 'GET',
      headers: { accept: 'application/json' },
      timeout: TIMEOUT,
      maxBytes: MAX_BYTES,
      ...(this.#tls ? { tls: this.#tls } : {}),
    });
  }
}

const endsSoon = ({ since, lifetime }: Fetched, clock: Clock): boolean => !isYoung(clock, since, lifetime - NEAR_END);

/** Returns the lifetime of a response according to its headers, in milliseconds; 0 when they state none (RFC 9111, section 4.2.1). */
function lifetimeOf(headers: Headers, clock: Clock): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase();
  const clampLifetime = (milliseconds: number) => Math.max(0, Math.min(milliseconds, LONGEST_LIFETIME));
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])/.test(control)) return 0;
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,10})/.exec(control) ?? [];
  if (seconds !== undefined) return clampLifetime(Number(seconds) * SECOND);
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? 0 : clampLifetime(expires - clock.now());
}
