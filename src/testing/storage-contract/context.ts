import { expect } from 'vitest';
import type { HistoryBounds } from '../../store/history.js';
import type { Entry, Storage, StoreErrorCode, StoreEvent, UpdateResult } from '../../store/storage.js';
import type { FakeClock } from '../fake-clock.js';

/** The stored objects of the contract. The store sets `revision`; `n` and `tags` are the content. */
export interface StoredSample {
  readonly n: number;
  readonly tags?: readonly string[];
  readonly revision?: number;
}

/** The arguments of a test case. */
export interface Context {
  readonly store: Storage<StoredSample>;
  readonly clock: FakeClock;
}
/** Declares a case with a store of its own. */
export type Test = (title: string, body: (context: Context) => Promise<void>, history?: HistoryBounds) => void;
export type Store = Storage<StoredSample>;

export const put = (store: Store, key: string, n = 0): Promise<UpdateResult<StoredSample>> =>
  store.guaranteedUpdate(key, () => ({ action: 'put', value: { n } }));
export const remove = (store: Store, key: string): Promise<UpdateResult<StoredSample>> =>
  store.guaranteedUpdate(key, () => ({ action: 'delete' }));
export const keysOf = (entries: readonly Entry<StoredSample>[]): string[] => entries.map(({ key }) => key);
/** Returns events in a short form: `put /a 1`. */
export const shown = (events: readonly StoreEvent<StoredSample>[]): string[] =>
  events.map(({ type, key, value }) => `${type} ${key} ${value.n}`);
export const failure = (code: StoreErrorCode, revisions: { requested?: number; current?: number } = {}) =>
  expect.objectContaining({ name: 'StoreError', code, ...revisions });

export function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Returns a promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
