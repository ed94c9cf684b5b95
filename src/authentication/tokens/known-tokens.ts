import { isYoung, reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { AuthenticationResult, Basis } from '../authenticator.js';

export type Known = AuthenticationResult & { readonly outcome: 'authenticated' };

interface Entry {
  readonly key: string;
  readonly token: string;
  /** A reading of the clock. */
  readonly since: number;
  readonly result: Known;
}

export interface KnownTokensOptions {
  /** How long a token is cached, in milliseconds. */
  readonly lifetime: number;
  /** The most tokens in the cache; the oldest are dropped first. */
  readonly size: number;
}

/** Longer tokens, counted with their cache key, are not cached, so that memory is bounded in bytes. */
const LONGEST = 16 * 1024;

const resourceOf = ({ group, resource }: Basis) => `${group}/${resource}`;
const placeOf = (resource: string, namespace = '', name = '') => `${resource}/${namespace}/${name}`;

/**
 * A cache of accepted tokens with their results. An entry is dropped when its time is over, when the cache is full, or when an object of
 * this server that the result depends on changes, which happens before the next request can read it. The cost of a change is proportional
 * to the entries it drops.
 */
export class KnownTokens {
  readonly #host: Pick<Host, 'clock' | 'lister'>;
  readonly #options: KnownTokensOptions;
  readonly #entries = new Map<string, Entry>();
  /** The entries that depend on an object, by the object's key. */
  readonly #dependents = new Map<string, Set<Entry>>();
  readonly #followed = new Set<string>();
  #changes = 0;

  constructor(host: Pick<Host, 'clock' | 'lister'>, options: KnownTokensOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** A counter of the changes that may have made a result stale. A look-up that began at a lower count may be stale. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Returns the cached result. @param key made of the token's end and the question. Tokens with equal keys displace each other; comparing
   * the whole token keeps them apart.
   */
  get(key: string, token: string): Known | undefined {
    const entry = this.#entries.get(key);
    if (entry?.token !== token) return undefined;
    const { clock } = this.#host;
    const { until } = entry.result;
    const holds = isYoung(clock, entry.since, this.#options.lifetime) && (until === undefined || clock.now() <= until);
    return holds ? entry.result : undefined;
  }

  /** Caches a result. @param changes the value of {@link changes} before the token was looked up. */
  remember(key: string, token: string, result: Known, changes: number): void {
    const { basis = [] } = result;
    // An object of a kind that was not watched before this call may have changed during the look-up.
    const watched = basis.filter((each) => this.#follow(each)).length === basis.length;
    if (!watched || changes !== this.#changes || key.length + token.length > LONGEST) return;
    this.#forget(this.#entries.get(key));
    const entry = { key, token, since: reading(this.#host.clock), result };
    this.#entries.set(key, entry);
    for (const each of basis) this.#depend(entry, placeOf(resourceOf(each), each.namespace, each.name));
    for (const oldest of this.#entries.values()) {
      if (this.#entries.size <= this.#options.size) break;
      this.#forget(oldest);
    }
  }

  #depend(entry: Entry, place: string): void {
    const entries = this.#dependents.get(place);
    if (entries) entries.add(entry);
    else this.#dependents.set(place, new Set([entry]));
  }

  #forget(entry: Entry | undefined): void {
    if (!entry) return;
    this.#entries.delete(entry.key);
    for (const each of entry.result.basis ?? []) {
      const place = placeOf(resourceOf(each), each.namespace, each.name);
      const entries = this.#dependents.get(place);
      entries?.delete(entry);
      if (entries?.size === 0) this.#dependents.delete(place);
    }
  }

  /** Returns whether changes of a kind were already watched; if not, starts to watch them. */
  #follow(basis: Basis): boolean {
    const resource = resourceOf(basis);
    if (this.#followed.has(resource)) return true;
    this.#followed.add(resource);
    this.#host.lister(basis.group, basis.resource).onChange((next, previous) => {
      if (previous) this.#changed(resource, next, previous);
    });
    return false;
  }

  #changed(resource: string, next: ApiObject | undefined, previous: ApiObject): void {
    this.#changes++;
    const { namespace, name } = previous.metadata;
    const place = placeOf(resource, namespace, name);
    const replaced = isReplaced(next, previous);
    for (const entry of this.#dependents.get(place) ?? []) {
      const depends = ({ part, ...each }: Basis) =>
        (replaced || part !== 'existence') && placeOf(resourceOf(each), each.namespace, each.name) === place;
      if (entry.result.basis?.some(depends)) this.#forget(entry);
    }
  }
}

/** Returns whether an object was deleted, is about to be, or was replaced by another of the same name. */
function isReplaced(next: ApiObject | undefined, { metadata }: ApiObject): boolean {
  return next?.metadata.uid !== metadata.uid || next?.metadata.deletionTimestamp !== metadata.deletionTimestamp;
}
