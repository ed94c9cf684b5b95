import { untilAborted } from '../meta/flow.js';
import { type Entry, type Storage, StoreError, type TryUpdate, type Update, type WaitOptions } from './storage.js';

/** The functions that storages with an asynchronous commit pass to {@link updateUntilCommitted}. */
export interface UpdateRules<T> {
  /**
   * Called before each attempt. Returns a promise if another write must end before the key is read, otherwise undefined. It may throw an
   * error, which the caller receives.
   */
  inTheWay?(): Promise<void> | undefined;
  /**
   * Returns whether an error of `tryUpdate` is thrown to the caller; otherwise `tryUpdate` is called again. Default: it is always thrown.
   * @param current the entry with which `tryUpdate` was called
   * @param revision the revision of the store when `tryUpdate` was called
   */
  isFinal?(error: unknown, current: Entry<T> | undefined, revision: number): Promise<boolean>;
}

/**
 * Calls `tryUpdate` until its result is for an entry that is still the newest one, then commits the result in the same turn of the event
 * loop. A synchronous result therefore never loses a race.
 * @param commit called with the revision that the store had when `tryUpdate` was called. It returns the result, or resolves with undefined
 * when another write came first, so that `tryUpdate` must be called again.
 * @throws StoreError `aborted` when `signal` fires while `tryUpdate` waits; and the error that `tryUpdate` throws.
 */
export async function updateUntilCommitted<T extends object, R>(
  state: Pick<Storage<T>, 'revision' | 'get'>,
  key: string,
  tryUpdate: TryUpdate<T>,
  commit: (current: Entry<T> | undefined, update: Update<T>, revision: number) => R | Promise<R | undefined>,
  options: WaitOptions,
  rules: UpdateRules<T> = {},
): Promise<R> {
  for (;;) {
    const other = rules.inTheWay?.();
    if (other !== undefined) {
      await other;
      continue;
    }
    const { revision } = state;
    const current = state.get(key);
    let update: Update<T>;
    let isLate = false;
    try {
      const answer = tryUpdate(current);
      isLate = 'then' in answer;
      update = 'then' in answer ? await untilCancelled(answer, options.signal) : answer;
    } catch (error) {
      if ((await rules.isFinal?.(error, current, revision)) ?? true) throw error;
      continue;
    }
    // Every write creates a new entry object, so its identity shows whether another write came first.
    if ((isLate || state.revision !== revision) && state.get(key) !== current) continue;
    const committed = commit(current, update, revision);
    const result = committed instanceof Promise ? await committed : committed;
    if (result !== undefined) return result;
  }
}

/** Resolves with the result of a promise. @throws StoreError `aborted` when the signal fires earlier. */
export function untilCancelled<U>(answer: Promise<U>, signal: AbortSignal | undefined): Promise<U> {
  return signal === undefined ? answer : untilAborted(answer, signal, abortedUpdate);
}

function abortedUpdate(): StoreError {
  return new StoreError('aborted', 'the caller aborted the update');
}

/** A write that has to be committed, with the outcome that it then has. */
export interface PlannedWrite<T> {
  readonly outcome: 'created' | 'updated' | 'deleted';
  readonly type: 'put' | 'delete';
  readonly value: T;
  readonly beyondQuota: boolean;
}

/**
 * Returns the write that a result of `tryUpdate` requests, or the final result when nothing has to be written.
 * @param equals whether a put would change nothing
 * @param isStale whether the stored value must be written again although nothing changes, for example with a new encryption key
 * @throws TypeError for a result that is not a put, a deletion or a keep, and for a put of a value that is not an object.
 */
export function decideWrite<T extends object>(
  current: Entry<T> | undefined,
  update: Update<T>,
  equals: (stored: T, next: T) => boolean,
  isStale: (entry: Entry<T>) => boolean = () => false,
): PlannedWrite<T> | { readonly outcome: 'unchanged'; readonly entry: Entry<T> | undefined } {
  switch (update.action) {
    case 'put': {
      const { value, beyondQuota = false } = update;
      if (typeof value !== 'object' || value === null) throw new TypeError('only objects can be stored');
      if (current !== undefined && (current.value === value || equals(current.value, value)) && !isStale(current))
        return { entry: current, outcome: 'unchanged' };
      return { outcome: current === undefined ? 'created' : 'updated', type: 'put', value, beyondQuota };
    }
    case 'delete':
      if (current === undefined) return { entry: undefined, outcome: 'unchanged' };
      return { outcome: 'deleted', type: 'delete', value: update.value ?? current.value, beyondQuota: true };
    case 'keep':
      return { entry: current, outcome: 'unchanged' };
    default:
      throw new TypeError('tryUpdate must return the action put, delete or keep');
  }
}
