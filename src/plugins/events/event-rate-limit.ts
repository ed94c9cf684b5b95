import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import { apiError } from '../../meta/api-error.js';
import { type Clock, reading } from '../../meta/clock.js';
import type { Event } from '../../resources/core/core-v1.types.js';

/** The events that share one bucket of a limit: all events of the server, or those of a namespace, of a user, or of a source and object. */
export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

/** A limit on the events that are admitted. */
export interface EventLimit {
  /** What has a limit of its own: the server, each namespace, each user, or each source and object. */
  readonly type: EventLimitType;
  /** Events per second, on average. */
  readonly qps: number;
  /** The size of the token bucket: the maximum number of events that are admitted at once. */
  readonly burst: number;
  /**
   * The maximum number of namespaces, users or sources that are counted separately. When there are more, the count of the least recently
   * used one is dropped. Default 4096.
   */
  readonly cacheSize?: number;
}

/** The options of `eventRateLimit`. */
export interface EventRateLimitOptions {
  /** The limits. An event must stay within all of them. */
  readonly limits: readonly EventLimit[];
}

const MOST_KEYS = 4096;
const SECOND = 1000;

const KEYS: Readonly<Record<EventLimitType, (attributes: AdmissionAttributes<Event>) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.username,
  SourceAndObject({ object }) {
    const { component, host } = object.source;
    const { kind, namespace, name, uid, apiVersion } = object.involvedObject;
    return [component, host, kind, namespace, name, uid, apiVersion].join('');
  },
};

/** The token buckets of one limit, by key. */
class Bursts {
  readonly #limit: EventLimit;
  readonly #clock: Clock;
  /** The buckets, with the most recently used last. */
  readonly #remainingTokens = new Map<string, { readonly tokens: number; readonly since: number }>();

  constructor(limit: EventLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts an event and returns an error when it exceeds the limit. */
  refusal(attributes: AdmissionAttributes<Event>): Error | undefined {
    const { type, qps, burst, cacheSize } = this.#limit;
    const key = KEYS[type](attributes);
    const now = reading(this.#clock);
    const { tokens, since } = this.#remainingTokens.get(key) ?? { tokens: burst, since: now };
    const filled = Math.min(burst, tokens + (Math.max(0, now - since) * qps) / SECOND);
    this.#remainingTokens.delete(key);
    this.#remainingTokens.set(key, { tokens: filled < 1 ? filled : filled - 1, since: now });
    const [oldest] = this.#remainingTokens.keys();
    if (this.#remainingTokens.size > (cacheSize || MOST_KEYS) && oldest !== undefined)
      this.#remainingTokens.delete(oldest);
    return filled < 1 ? new Error(`limit reached on type ${type} for key ${key}`) : undefined;
  }
}

/** Limits the rate of events in the whole server, per namespace, per user, or per source and object. */
export const eventRateLimit =
  ({ limits }: EventRateLimitOptions): AdmissionPluginFactory<Event> =>
  ({ clock }) => {
    const bursts = limits.map((limit) => new Bursts(limit, clock));
    return {
      name: 'EventRateLimit',
      rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['events'] }],
      handles: ({ dryRun }) => !dryRun,
      validate(attributes) {
        // Every limit is checked, because an event counts for all of them even if one refuses it.
        const error = aggregateErrors(bursts.flatMap((limit) => limit.refusal(attributes) ?? []));
        if (error) throw apiError.tooManyRequests(`Too many requests: ${error.message}`);
      },
    };
  };
