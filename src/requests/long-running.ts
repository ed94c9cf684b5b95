import { privilegedGroup } from '../authorization/privileged-groups.js';
import type { UserInfo } from '../meta/user-info.js';
import type { Slot } from './slot.js';

const MIB = 1024 * 1024;

/**
 * Limits of long-running requests: watches, and requests such as exec or proxy that stay open as long as the caller wants. 0 means no
 * limit.
 */
export interface LongRunningLimits {
  /** The most requests at once. Default 20,000. */
  readonly requests?: number;
  /** The most requests of one user at once. Default 5,000. */
  readonly requestsPerUser?: number;
  /** The most bytes of the targets and headers of all long-running requests together. Default 64 MiB. */
  readonly bytes?: number;
  /** The most bytes of the targets and headers of one user's long-running requests. Default 16 MiB. */
  readonly bytesPerUser?: number;
}

const DEFAULTS: Required<LongRunningLimits> = {
  requests: 20_000,
  requestsPerUser: 5_000,
  bytes: 64 * MIB,
  bytesPerUser: 16 * MIB,
};

/** The fraction of their limits that users have while memory is short, so that the users with most requests are refused first. */
const SHORT_PART = 1 / 16;

interface Load {
  requests: number;
  bytes: number;
}

/** Counts long-running requests against their limits (spec 18.2). Members of system:masters are counted but never refused. */
export class LongRunning {
  readonly #limits: Required<LongRunningLimits>;
  /** The limits while memory is short. */
  readonly #shortLimits: Required<LongRunningLimits>;
  readonly #isShort: () => boolean;
  readonly #all: Load = { requests: 0, bytes: 0 };
  readonly #users = new Map<string, Load>();

  /** @param isShort whether memory is short */
  constructor(limits: LongRunningLimits = {}, isShort: () => boolean = () => false) {
    this.#limits = { ...DEFAULTS, ...limits };
    const partOf = (name: 'requestsPerUser' | 'bytesPerUser') =>
      Math.ceil((this.#limits[name] || DEFAULTS[name]) * SHORT_PART);
    this.#shortLimits = {
      ...this.#limits,
      requestsPerUser: partOf('requestsPerUser'),
      bytesPerUser: partOf('bytesPerUser'),
    };
    this.#isShort = isShort;
  }

  /** Takes a slot for a request, or returns undefined if a limit is reached. @param bytes size of its target and headers */
  begin({ username, groups }: UserInfo, bytes: number): Slot | undefined {
    const all = this.#all;
    const own = this.#users.get(username) ?? { requests: 0, bytes: 0 };
    const { requests, requestsPerUser, bytes: most, bytesPerUser } = this.#isShort() ? this.#shortLimits : this.#limits;
    const fits =
      within(all.requests + 1, requests) &&
      within(own.requests + 1, requestsPerUser) &&
      within(all.bytes + bytes, most) &&
      within(own.bytes + bytes, bytesPerUser);
    if (!fits && groups?.includes(privilegedGroup) !== true) return undefined;
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

const within = (value: number, limit: number) => limit === 0 || value <= limit;
