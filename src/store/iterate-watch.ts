import type { StoreEvent, Watch } from './storage.js';

const BATCH = 100;

/**
 * Returns an iterator over the events of a watch. While there is no event, it waits for `nextNotice`. It ends when the watch is closed, and
 * throws when the store closed the watch with an error. Leaving the loop closes the watch.
 */
export function iterateWatch<T>(watch: Watch<T>, nextNotice: () => Promise<void>): AsyncIterator<StoreEvent<T>> {
  let batch: readonly StoreEvent<T>[] = [];
  let index = 0;
  return {
    async next() {
      for (;;) {
        if (watch.state === 'closed') {
          if (watch.error !== undefined) throw watch.error;
          return { done: true, value: undefined };
        }
        const event = batch[index];
        if (event !== undefined) {
          index++;
          return { done: false, value: event };
        }
        batch = watch.take(BATCH);
        index = 0;
        if (batch.length === 0) await nextNotice();
      }
    },
    async return() {
      watch.close();
      return { done: true, value: undefined };
    },
  };
}
