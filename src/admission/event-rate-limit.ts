import { aggregateErrors } from '../meta/aggregate-error.js';
import { apiError } from '../meta/api-error.js';
import { type Clock, reading } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { AdmissionAttributes, AdmissionPluginFactory } from './admission-plugin.js';

/** What events are counted together by. */
export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

/** How many events are let in. */
export interface EventLimit {
  readonly type: EventLimitType;
  /** A second, in the long run. */
  readonly qps: number;
  /** At once. */
  readonly burst: number;
  /** How many namespaces, users or sources are told apart: of more, those that were not seen for longest begin anew. Default 4096. */
  readonly cacheSize?: number;
}

export interface EventRateLimitOptions {
  readonly limits: readonly EventLimit[];
}

const MOST_KEYS = 4096;
const SECOND = 1000;

interface EventObject extends ApiObject {
  readonly source?: Readonly<Record<string, string | undefined>>;
  readonly involvedObject?: Readonly<Record<string, string | undefined>>;
}

const KEYS: Readonly<Record<EventLimitType, (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.username,
  SourceAndObject({ object }) {
    const { source = {}, involvedObject: about = {} } = object as EventObject; // handles() lets only events in
    const { component, host } = source;
    return [component, host, about['kind'], about['namespace'], about['name'], about['uid'], about['apiVersion']].join(
      '',
    );
  },
};

/** What is left of the bursts of one limit, by key. */
class Bursts {
  readonly #limit: EventLimit;
  readonly #clock: Clock;
  /** That which was used last comes last. */
  readonly #left = new Map<string, { readonly tokens: number; readonly since: number }>();

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** The error of an event that is one too many. */
  refusal(attributes: AdmissionAttributes): Error | undefined {
    const { type, qps, burst, cacheSize } = this.#limit;
    const key = KEYS[type](attributes);
    const now = reading(this.#clock);
    const { tokens, since } = this.#left.get(key) ?? { tokens: burst, since: now };
    const filled = Math.min(burst, tokens + (Math.max(0, now - since) * qps) / SECOND);
    this.#left.delete(key);
    this.#left.set(key, { tokens: filled < 1 ? filled : filled - 1, since: now });
    const [oldest] = this.#left.keys();
    if (this.#left.size > (cacheSize || MOST_KEYS) && oldest !== undefined) this.#left.delete(oldest);
    return filled < 1 ? new Error(`limit reached on type ${type} for key ${key}`) : undefined;
  }
}

/** Lets in so many events, and no more: of the server, of each namespace, of each user or about each object. */
export const eventRateLimit =
  ({ limits }: EventRateLimitOptions): AdmissionPluginFactory =>
  ({ clock }) => {
    const bursts = limits.map((limit) => new Bursts(limit, clock));
    return {
      name: 'EventRateLimit',
      handles: ({ operation, kind, dryRun }) =>
        (operation === 'CREATE' || operation === 'UPDATE') && kind.kind === 'Event' && kind.group === '' && !dryRun,
      validate(attributes) {
        // Each is asked, so that each counts.
        const error = aggregateErrors(bursts.flatMap((limit) => limit.refusal(attributes) ?? []));
        if (error) throw apiError.tooManyRequests(`Too many requests: ${error.message}`);
      },
    };
  };
