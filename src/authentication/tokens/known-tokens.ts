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
  /** How long a token stays known, in milliseconds. */
  readonly lifetime: number;
  /** Tokens kept at most; the oldest go first. */
  readonly size: number;
}

/** Longer tokens (and questions about them) are looked at each time, so that memory is bounded in bytes, too. */
const LONGEST = 16 * 1024;

const resourceOf = ({ group, resource }: Basis) => `${group}/${resource}`;
const placeOf = (resource: string, namespace = '', name = '') => `${resource}/${namespace}/${name}`;

/**
 * Tokens that were good, with the answers. One is forgotten when its time is over, when what its answer depends on changes in
 * this server, before anybody can ask again, or when there are too many. A change costs what is forgotten by it.
 */
export class KnownTokens {
  readonly #host: Pick<Host, 'clock' | 'lister'>;
  readonly #options: KnownTokensOptions;
  readonly #entries = new Map<string, Entry>();
  /** What depends on an object, by its place. */
  readonly #dependents = new Map<string, Set<Entry>>();
  readonly #followed = new Set<string>();
  #changes = 0;

  constructor(host: Pick<Host, 'clock' | 'lister'>, options: KnownTokensOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Grows with every change that may have made an answer untrue: one that was found out before it may be. */
  get changes(): number {
    return this.#changes;
  }

  /** @param key one for the token's end and the question; tokens of one key displace each other, and are never taken for each other. */
  get(key: string, token: string): Known | undefined {
    const entry = this.#entries.get(key);
    if (entry?.token !== token) return undefined;
    const { clock } = this.#host;
    const { until } = entry.result;
    const holds = isYoung(clock, entry.since, this.#options.lifetime) && (until === undefined || clock.now() <= until);
    return holds ? entry.result : undefined;
  }

  /** @param changes what {@link changes} was before the token was looked at. */
  remember(key: string, token: string, result: Known, changes: number): void {
    const { basis = [] } = result;
    // What was not watched until now may have changed meanwhile.
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

  /** Whether changes of a kind were followed already; from now on they are. */
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

/** Whether an object is gone, about to go, or another one of its name. */
function isReplaced(next: ApiObject | undefined, { metadata }: ApiObject): boolean {
  return next?.metadata.uid !== metadata.uid || next?.metadata.deletionTimestamp !== metadata.deletionTimestamp;
}
