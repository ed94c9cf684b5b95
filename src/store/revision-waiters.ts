import { awaitedTimer, type Clock } from '../meta/clock.js';
import { StoreError } from './storage.js';

interface Waiter {
  readonly revision: number;
  resolve(): void;
  reject(error: StoreError): void;
}

/** The waiters for future revisions. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  /** The lowest revision that a caller waits for, so that a write without waiters costs only one comparison. */
  #lowest = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when {@link reached} is called with `revision` or a greater one.
   * @throws StoreError `futureRevision` after the timeout, `aborted` by the signal, `closed` by {@link close}.
   */
  wait(
    revision: number,
    currentRevision: () => number,
    timeoutMilliseconds: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortedWhileWaiting());
        return;
      }
      const settle = (): void => {
        this.#waiters.delete(waiter);
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        revision,
        resolve() {
          settle();
          resolve();
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      const onAbort = (): void => waiter.reject(abortedWhileWaiting());
      const giveUp = () => {
        const current = currentRevision();
        const message = `revision ${revision} is not reached, the newest is ${current}`;
        waiter.reject(new StoreError('futureRevision', message, { requested: revision, current }));
      };
      const cancelTimer = awaitedTimer(this.#clock, giveUp, timeoutMilliseconds, `wait for revision ${revision}`);
      signal?.addEventListener('abort', onAbort);
      this.#waiters.add(waiter);
      this.#lowest = Math.min(this.#lowest, revision);
    });
  }

  /** Resolves all waiters for `revision` or less. */
  reached(revision: number): void {
    if (revision < this.#lowest) return;
    this.#lowest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      if (waiter.revision <= revision) waiter.resolve();
      else this.#lowest = Math.min(this.#lowest, waiter.revision);
    }
  }

  close(): void {
    for (const waiter of this.#waiters) waiter.reject(new StoreError('closed', 'the store was closed'));
  }
}

function abortedWhileWaiting(): StoreError {
  return new StoreError('aborted', 'the caller aborted the wait for a revision');
}
