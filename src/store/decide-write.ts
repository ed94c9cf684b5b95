import type { Entry, Update, UpdateResult } from './storage.js';

/** A write that has to be committed. */
export interface PlannedWrite<T> {
  readonly outcome: 'write';
  readonly type: 'put' | 'delete';
  readonly value: T;
  readonly beyondQuota: boolean;
}

/**
 * Returns the write that an answer of `tryUpdate` asks for, or the result when nothing has to be written.
 * @param equals whether a put would change nothing
 * @param isStale whether the stored value has to be written again although nothing changes
 * @throws TypeError for an answer that is none of the three, and for a put of something that is not an object.
 */
export function decideWrite<T extends object>(
  current: Entry<T> | undefined,
  update: Update<T>,
  equals: (stored: T, next: T) => boolean,
  isStale: (entry: Entry<T>) => boolean = () => false,
): PlannedWrite<T> | UpdateResult<T> {
  switch (update.action) {
    case 'put': {
      const { value, beyondQuota = false } = update;
      if (typeof value !== 'object' || value === null) throw new TypeError('only objects can be stored');
      if (current !== undefined && (current.value === value || equals(current.value, value)) && !isStale(current))
        return { entry: current, outcome: 'unchanged' };
      return { outcome: 'write', type: 'put', value, beyondQuota };
    }
    case 'delete':
      if (current === undefined) return { entry: undefined, outcome: 'unchanged' };
      return { outcome: 'write', type: 'delete', value: update.value ?? current.value, beyondQuota: true };
    case 'keep':
      return { entry: current, outcome: 'unchanged' };
    default:
      throw new TypeError('tryUpdate must answer put, delete or keep');
  }
}

/** Returns the outcome of a committed write. */
export function outcomeOf(type: 'put' | 'delete', current: object | undefined): UpdateResult<never>['outcome'] {
  if (type === 'delete') return 'deleted';
  return current === undefined ? 'created' : 'updated';
}
