import { untilAborted } from '../values/until-aborted.js';
import { type Entry, type Storage, StoreError, type TryUpdate, type Update, type WaitOptions } from './storage.js';

/**
 * Calls `tryUpdate` until its answer is about the entry that is still the newest, then commits the answer in the same turn of the event
 * loop. A synchronous answer therefore never loses a race.
 * @throws StoreError `aborted` when `signal` fires while `tryUpdate` waits; and the error that `tryUpdate` throws.
 */
export async function updateUntilCommitted<T extends object, R>(
  state: Pick<Storage<T>, 'revision' | 'get'>,
  key: string,
  tryUpdate: TryUpdate<T>,
  commit: (current: Entry<T> | undefined, update: Update<T>) => R,
  options: WaitOptions,
): Promise<R> {
  for (;;) {
    const { revision } = state;
    const current = state.get(key);
    const answer = tryUpdate(current);
    const update = 'then' in answer ? await untilCancelled(answer, options.signal) : answer;
    // Every write makes a new entry, so identity shows whether another write came first.
    if (state.revision === revision || state.get(key) === current) return commit(current, update);
  }
}

/** Resolves with the result of a promise. @throws StoreError `aborted` when the signal fires earlier. */
export function untilCancelled<U>(answer: Promise<U>, signal: AbortSignal | undefined): Promise<U> {
  return signal === undefined ? answer : untilAborted(answer, signal, abortedUpdate);
}

function abortedUpdate(): StoreError {
  return new StoreError('aborted', 'the update was given up by the caller');
}
