import { isPrivileged } from '../authorization/privileged-groups.js';
import type { UserInfo } from '../meta/user-info.js';
import { LinkedList, type LinkedListEntry } from '../values/linked-list.js';
import type { ApiRequest } from './api-request.js';

/** Counts concurrent requests against a limit. */
class Slots implements Slot {
  readonly #limit: number;
  #taken = 0;

  /** @param limit 0 means no limit. */
  constructor(limit: number) {
    this.#limit = limit || Number.POSITIVE_INFINITY;
  }
  /** Takes a slot; returns undefined if all are taken. */
  take(): Slot | undefined {
    if (this.#taken >= this.#limit) return undefined;
    this.#taken++;
    return this;
  }
  release(): void {
    this.#taken--;
  }
}

/**
 * Slots for requests whose callers are not authenticated yet. These callers can be distinguished only by address, so one address may hold
 * at most half of the slots: a client whose tokens take long to verify cannot block all other clients.
 */
class UnauthenticatedSlots {
  readonly #limit: number;
  readonly #mostOfOne: number;
  #taken = 0;
  readonly #bySource = new Map<string, number>();

  /** @param limit 0 means no limit. */
  constructor(limit: number) {
    this.#limit = limit || Number.POSITIVE_INFINITY;
    this.#mostOfOne = Math.max(1, Math.floor(this.#limit / 2));
  }

  isFull(source: string): boolean {
    return this.#taken >= this.#limit || (this.#bySource.get(source) ?? 0) >= this.#mostOfOne;
  }
  take(source: string): void {
    this.#taken++;
    this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + 1);
  }
  release(source: string): void {
    this.#taken--;
    const left = (this.#bySource.get(source) ?? 0) - 1;
    if (left > 0) this.#bySource.set(source, left);
    else this.#bySource.delete(source);
  }
}

/** The limits on the requests that a server handles at the same time. */
export class InFlight {
  readonly readOnly: Slots;
  readonly mutating: Slots;
  /**
   * The slots of requests that are being authenticated. Only requests that wait for an external service (a webhook, an issuer) take one.
   */
  readonly authenticating: UnauthenticatedSlots;

  /** @throws TypeError for a limit below 0. */
  constructor(readOnly: number, mutating: number) {
    if (!(readOnly >= 0) || !(mutating >= 0)) throw new TypeError('a limit of requests in flight must be at least 0');
    this.readOnly = new Slots(readOnly);
    this.mutating = new Slots(mutating);
    this.authenticating = new UnauthenticatedSlots(readOnly === 0 || mutating === 0 ? 0 : readOnly + mutating);
  }
}

const MIB = 1024 * 1024;

/**
 * Limits of long-running requests: watches, and requests such as exec or proxy that stay open until the caller closes them. 0 means no
 * limit.
 */
export interface LongRunningLimits {
  /** The maximum number of concurrent requests. Default 20,000. */
  readonly requests?: number;
  /** The maximum number of concurrent requests of one user. Default 5,000. */
  readonly requestsPerUser?: number;
  /** The maximum total size in bytes of the targets and headers of all long-running requests. Default 64 MiB. */
  readonly bytes?: number;
  /** The maximum total size in bytes of the targets and headers of one user's long-running requests. Default 16 MiB. */
  readonly bytesPerUser?: number;
}

const DEFAULTS: Required<LongRunningLimits> = {
  requests: 20_000,
  requestsPerUser: 5_000,
  bytes: 64 * MIB,
  bytesPerUser: 16 * MIB,
};

/**
 * The fraction to which the limits per user are lowered while memory is short, so that the users with the most requests are refused first.
 */
const SHORT_PART = 1 / 16;

interface Load {
  requests: number;
  bytes: number;
}

/** Counts long-running requests against their limits (spec 18.2). Members of system:masters are counted but never refused. */
export class LongRunning {
  readonly #limits: Required<LongRunningLimits>;
  readonly #isShort: () => boolean;
  readonly #all: Load = { requests: 0, bytes: 0 };
  readonly #users = new Map<string, Load>();

  /** @param isShort whether memory is short */
  constructor(limits: LongRunningLimits = {}, isShort: () => boolean = () => false) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#isShort = isShort;
  }

  /** Takes a slot for a request, or returns undefined if a limit is reached. @param bytes the size of the request's target and headers */
  begin(user: UserInfo, bytes: number): Slot | undefined {
    const { username } = user;
    const all = this.#all;
    const own = this.#users.get(username) ?? { requests: 0, bytes: 0 };
    const {
      requests,
      requestsPerUser,
      bytes: most,
      bytesPerUser,
    } = this.#isShort() ? lowered(this.#limits) : this.#limits;
    const fits =
      within(all.requests + 1, requests) &&
      within(own.requests + 1, requestsPerUser) &&
      within(all.bytes + bytes, most) &&
      within(own.bytes + bytes, bytesPerUser);
    if (!fits && !isPrivileged(user)) return undefined;
    this.#users.set(username, own);
    this.#change(username, own, 1, bytes);
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) this.#change(username, own, -1, -bytes);
        isHeld = false;
      },
    };
  }

  #change(username: string, own: Load, requests: number, bytes: number): void {
    for (const load of [this.#all, own]) {
      load.requests += requests;
      load.bytes += bytes;
    }
    if (own.requests === 0) this.#users.delete(username);
  }
}

/** Returns the limits while memory is short. */
function lowered(limits: Required<LongRunningLimits>): Required<LongRunningLimits> {
  const partOf = (name: 'requestsPerUser' | 'bytesPerUser') => Math.ceil((limits[name] || DEFAULTS[name]) * SHORT_PART);
  return { ...limits, requestsPerUser: partOf('requestsPerUser'), bytesPerUser: partOf('bytesPerUser') };
}

const within = (value: number, limit: number) => limit === 0 || value <= limit;

/** A slot that a request occupies until it ends. */
export interface Slot {
  /**
   * Frees the slot.
   * @param now a clock reading, if the caller has one
   */
  release(now?: number): void;
}

/** A request in flight. Its user is set when it is authenticated. */
interface RequestInFlight {
  readonly request: ApiRequest;
  readonly user: UserInfo;
}

/**
 * How a server treats new requests: `serving` serves them; during shutdown, `retry` refuses them with 429 so that clients reconnect, and
 * `unavailable` with 503.
 */
type ShutdownStage = 'serving' | 'retry' | 'unavailable';

/** The progress of a server's shutdown, and the requests in flight. */
export class Shutdown {
  stage: ShutdownStage = 'serving';
  /** The requests that are not answered yet. {@link leave} removes them. */
  readonly requests = new LinkedList<RequestInFlight>();
  #onIdle: (() => void) | undefined;

  /** Removes a request whose response exists. A streamed response, such as a watch, may still be open. */
  leave(entry: LinkedListEntry<RequestInFlight>): void {
    this.requests.remove(entry);
    if (this.#onIdle && this.requests.size === 0) this.#onIdle();
  }

  /** Resolves once no request is in flight. */
  idle(): Promise<void> {
    if (this.requests.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }
}
