import { awaitedTimer, type Clock } from '../../meta/clock.js';
import { StoreError } from '../storage.js';

/** Milliseconds within which a revision must be reached. */
const TIMEOUT = 10_000;
/** Milliseconds between two progress requests. They are repeated, because a request is lost if its stream ends. */
const REPEAT = 100;

interface Waiter {
  readonly revision: number;
  reached(): void;
  failed(error: Error): void;
}

/** Tracks the revision up to which the watch has reported everything, and the callers that wait for a higher one. */
export class Progress {
  readonly #clock: Clock;
  readonly #request: () => void;
  readonly #waiters = new Set<Waiter>();
  #revision = 0;
  #cancelRepeat: (() => void) | undefined;

  /**
   * @param ask requests etcd's progress (the revision up to which it has sent all events); called while a caller waits for a revision that
   * may have no event
   */
  constructor(clock: Clock, ask: () => void) {
    this.#clock = clock;
    this.#request = ask;
  }

  get revision(): number {
    return this.#revision;
  }

  reached(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.reached();
  }

  /**
   * Resolves when everything up to a revision was reported.
   * @param requests whether etcd's progress must be requested, because the revision may belong to a write that the watch does not report
   * @throws StoreError `unavailable` after a timeout, `closed` when {@link close} is called first
   */
  async reach(revision: number, requests: boolean): Promise<void> {
    if (revision <= this.#revision) return;
    let cancel = () => {};
    const reached = new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { revision, reached: resolve, failed: reject };
      const giveUp = () => {
        const message = `etcd: revision ${revision} is not reported, the newest is ${this.#revision}`;
        reject(new StoreError('unavailable', message));
      };
      const cancelTimer = awaitedTimer(this.#clock, giveUp, TIMEOUT, `wait for revision ${revision} of etcd`);
      this.#waiters.add(waiter);
      cancel = () => {
        cancelTimer();
        this.#waiters.delete(waiter);
      };
    });
    if (requests) this.#requestAgain();
    try {
      await reached;
    } finally {
      cancel();
      if (this.#waiters.size === 0) this.#stop();
    }
  }

  close(): void {
    this.#stop();
    for (const { failed } of this.#waiters) failed(new StoreError('closed', 'the store was closed'));
  }

  #requestAgain(): void {
    this.#request();
    const repeat = () => {
      this.#cancelRepeat = undefined;
      if (this.#waiters.size > 0) this.#requestAgain();
    };
    this.#cancelRepeat ??= this.#clock.setTimer(repeat, REPEAT, false, 'next question how far etcd is');
  }

  #stop(): void {
    this.#cancelRepeat?.();
    this.#cancelRepeat = undefined;
  }
}

/** Returns whether this client supports a version of etcd, which must be 3.4 or newer. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 4);
}

/** Returns whether a version of etcd answers a progress request only after all earlier events. Older versions may answer earlier. */
export function answersProgressInOrder(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map((part) => Number.parseInt(part, 10));
  if (major !== 3) return major > 3;
  if (minor < 5) return minor === 4 && patch >= 25;
  return minor > 5 || patch >= 8;
}
