import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { messageOf } from '../../values/message-of.js';
import { printArgument } from '../check-arguments.js';
import {
  nothingForbidden,
  notReceived,
  type ReceivedOptions,
  type Requests,
  received,
} from '../evidence/assertions.js';
import { type HotLoopOptions, noHotLoop } from '../evidence/hot-loop.js';
import { describeMatcher, type RecordedMatcher } from '../evidence/recorded-matcher.js';
import { noWriteOnStaleRead } from '../evidence/stale-write.js';

/** The location of an object. */
export interface ObjectPlace {
  /** The namespace, required for namespaced kinds. */
  readonly namespace?: string;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers about requests and objects for vitest: `expect.extend(matchers)`, once in a setup file or in the file of the tests. */
export const matchers = {
  /** Passes if a log contains a matching request: `expect(requests).toHaveReceived({ verb: 'create', resource: 'secrets' })`. */
  toHaveReceived(requests: Requests, match: RecordedMatcher, options?: ReceivedOptions): Verdict {
    const held = verdictOf(() => received(requests, match, options), '');
    if (!held.pass) return held;
    // Without options, `not` means that no matching request was received. The message then lists the matching requests.
    const unexpected = options === undefined ? verdictOf(() => notReceived(requests, match), '').message() : '';
    const text = unexpected || `expected not to have received that many requests with ${describeMatcher(match)}`;
    return { pass: true, message: () => text };
  },
  /** Passes if no request in a log was refused with 403. */
  toHaveNothingForbidden(requests: Requests, match?: Omit<RecordedMatcher, 'status'>): Verdict {
    return verdictOf(() => nothingForbidden(requests, match), 'expected something forbidden, but nothing was');
  },
  /** Passes if no client in a log is in a hot loop. */
  toHaveNoHotLoop(requests: Requests, options?: HotLoopOptions): Verdict {
    return verdictOf(() => noHotLoop(requests, options), 'expected a hot loop, but there is none');
  },
  /** Passes if no client in a log overwrites a version that it has not read. */
  toHaveNoWriteOnStaleRead(requests: Requests, match?: RecordedMatcher): Verdict {
    return verdictOf(() => noWriteOnStaleRead(requests, match), 'expected a write on a stale read, but there is none');
  },
  /** Passes if an object exists: `await expect(server.client()).toHaveObject(configMap, 'a', { namespace: 'shop' })`. */
  async toHaveObject<T extends ApiObject>(
    client: Client,
    kind: ResourceDefinition<T>,
    name: string,
    place: ObjectPlace = {},
  ): Promise<Verdict> {
    const { namespace = '' } = place;
    const what = `${kind.kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
    try {
      await client.get(kind, name, place);
      return { pass: true, message: () => `expected no ${what}, but it exists` };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { pass: false, message: () => `expected ${what}, but it does not exist` };
    }
  },
  /** Passes if an object has a condition: `expect(pod).toHaveCondition('Ready')`. The status is `True` by default. */
  toHaveCondition(object: ApiObject, type: string, status = 'True'): Verdict {
    if (typeof object !== 'object' || object === null)
      throw new TypeError(`toHaveCondition: the value must be an object of the API, not ${printArgument(object)}`);
    const { conditions } = (object as { readonly status?: { readonly conditions?: unknown } }).status ?? {};
    const all: readonly Condition[] = Array.isArray(conditions) ? conditions : [];
    const pass = all.some((condition) => condition.type === type && condition.status === status);
    const there = all.map((each) => `${each.type}=${each.status}${each.reason ? ` (${each.reason})` : ''}`).join(', ');
    const what = `${object.kind ?? 'the object'} ${object.metadata?.name ?? ''}`.trim();
    const text = `expected ${what} ${pass ? 'not ' : ''}to have the condition ${type}=${status}; it has ${there || 'none'}`;
    return { pass, message: () => text };
  },
};

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
}

/**
 * Runs a check as a vitest matcher.
 * @param otherwise the message for a check that passes although `not` requires it to fail.
 */
function verdictOf(check: () => void, otherwise: string): Verdict {
  try {
    check();
    return { pass: true, message: () => otherwise };
  } catch (error) {
    // A TypeError means that the arguments are invalid. It is rethrown, because `not` would turn the failure into a pass.
    if (error instanceof TypeError) throw error;
    return { pass: false, message: () => messageOf(error) };
  }
}

/** The matchers as methods of `expect(…)`. */
export interface EvidenceMatchers<R = unknown> {
  /** Passes if the log contains a matching request, or the number of requests that the options require. */
  toHaveReceived(match: RecordedMatcher, options?: ReceivedOptions): R;
  /** Passes if no request in the log was refused with 403. */
  toHaveNothingForbidden(match?: Omit<RecordedMatcher, 'status'>): R;
  /** Passes if no client in the log is in a hot loop. */
  toHaveNoHotLoop(options?: HotLoopOptions): R;
  /** Passes if no client in the log overwrites a version that it has not read. */
  toHaveNoWriteOnStaleRead(match?: RecordedMatcher): R;
  /** Resolves if the client finds the object. */
  toHaveObject<K extends ApiObject>(kind: ResourceDefinition<K>, name: string, place?: ObjectPlace): Promise<R>;
  /** Passes if the object has the condition, by default with the status `True`. */
  toHaveCondition(type: string, status?: string): R;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameter must be named and defaulted as in the interface that this one is merged with
  interface Assertion<T = any> extends EvidenceMatchers<T> {}
}
