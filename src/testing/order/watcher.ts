import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { checkMatcher, type RequestMatcher, type TextMatcher } from '../faults/fault-spec.js';
import { type Matchable, matchesText, type RequestTarget, requestTest } from '../faults/request-target.js';

/** Selects watchers: those that match every given member. `{}` selects all watches of clients. */
export interface WatchMatcher extends Omit<RequestMatcher, 'verb' | 'nth' | 'probability'> {
  /**
   * The name of a controller. It selects the caches of this controller instead of watches of clients. Only stepped controllers have caches
   * of their own.
   */
  readonly controller?: TextMatcher;
}

/** The description of a watcher. */
export interface WatcherTarget extends Pick<RequestTarget, 'user' | 'userAgent' | 'resource' | 'namespace' | 'path'> {
  /** The controller that owns the cache; '' for the watch of a client. */
  readonly controller: string;
}

/** An event that a watcher has not received yet. */
export interface WaitingEvent {
  /** The watcher that the event waits for. */
  readonly watcher: WatcherTarget;
  /** The type of the event. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** The namespace of the object; '' for objects without a namespace, bookmarks and errors. */
  readonly namespace: string;
  /** The name of the object; '' for bookmarks and errors. */
  readonly name: string;
  /** The resourceVersion of the object; '' for errors. */
  readonly resourceVersion: string;
}

/** A {@link WaitingEvent} with its sequence number and its time of arrival. */
export interface Waiting extends WaitingEvent {
  /** The sequence number, which counts the events of all watchers in the order in which they arrived. */
  readonly number: number;
  /** The time of arrival, a reading of the server's monotonic clock. */
  readonly arrived: number;
}

/**
 * The treatment of a watcher's events: they pass (`open`), wait until they are released (`held`), or wait until the server settles
 * (`shuffled`). A server has not settled while shuffled events wait; held events do not keep it from settling.
 */
export type Gate = 'open' | 'held' | 'shuffled';

/** A client or a controller that follows changes. */
export interface Watcher {
  readonly request: Matchable;
  readonly target: WatcherTarget;
  /** The events that wait, oldest first. */
  readonly waiting: readonly Waiting[];
  gate: Gate;
  /** Lets the oldest event pass. */
  release(): void;
  /** Whether the consumer of the watch is still processing an event that was released. */
  readonly isBusy: boolean;
}

/** The methods of {@link Order} that its watchers call. */
export interface Arrivals {
  /** Returns the sequence number and the arrival time for an event that arrives now. */
  stamp(): Pick<Waiting, 'number' | 'arrived'>;
  /** Called after events have arrived that must wait. */
  arrived(watcher: Watcher): void;
}

/**
 * Returns a function that tests whether a matcher selects a watcher.
 * @throws TypeError for members that do not exist or are out of range.
 */
export function watcherTest(match: WatchMatcher): (watcher: Watcher) => boolean {
  if (typeof match !== 'object' || match === null || Array.isArray(match))
    throw new TypeError('watches: a matcher must be an object: {} matches everything');
  for (const member of ['verb', 'nth', 'probability'] as const)
    if (member in match) refuseUnknownMembers('watches', { [member]: 0 }, []);
  const { controller, ...request } = match;
  checkMatcher(request, 'watches');
  if (controller === undefined) {
    const matches = requestTest(request, ['watch']);
    return (watcher) => watcher.target.controller === '' && matches(watcher.request);
  }
  // The server itself opens the watch of a cache, and a matcher that names no user skips requests of the server. The caller is therefore
  // removed before the match.
  const matches = requestTest(request, ['watch']);
  return ({ target, request: { caller: _, ...others } }) =>
    target.controller !== '' && matchesText(controller, target.controller) && matches({ ...others, caller: undefined });
}
