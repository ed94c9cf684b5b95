import type { Slot } from './slot.js';

/** A limit of requests of one kind that are served at once. */
class Slots {
  readonly limit: number;
  taken = 0;

  /** @param limit 0 means no limit. */
  constructor(limit: number) {
    this.limit = limit;
  }
  get full(): boolean {
    return this.limit > 0 && this.taken >= this.limit;
  }
  take(): this {
    this.taken++;
    return this;
  }
  release(): void {
    this.taken--;
  }
}

/**
 * Slots for requests whose caller is not authenticated yet. Such callers are told apart by address only, so one address may hold at most
 * half of the slots: a client whose tokens take long to check cannot keep all others out.
 */
class UnauthenticatedSlots {
  readonly #all: Slots;
  readonly #mostOfOne: number;
  readonly #bySource = new Map<string, number>();

  /** @param limit 0 means no limit. */
  constructor(limit: number) {
    this.#all = new Slots(limit);
    this.#mostOfOne = limit === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(limit / 2));
  }

  isFull(source: string): boolean {
    return this.#all.full || (this.#bySource.get(source) ?? 0) >= this.#mostOfOne;
  }
  take(source: string): Slot {
    this.#all.take();
    this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + 1);
    return { release: () => this.#release(source) };
  }
  #release(source: string): void {
    this.#all.release();
    const left = (this.#bySource.get(source) ?? 0) - 1;
    if (left > 0) this.#bySource.set(source, left);
    else this.#bySource.delete(source);
  }
}

/** The limits of requests that one server serves at once. */
export class InFlight {
  readonly reading: Slots;
  readonly mutating: Slots;
  /** Requests that are being authenticated; only those that wait for an external service are counted. */
  readonly authenticating: UnauthenticatedSlots;

  /** @throws TypeError for a limit below 0. */
  constructor(reading: number, mutating: number) {
    if (!(reading >= 0) || !(mutating >= 0)) throw new TypeError('a limit of requests in flight must be at least 0');
    this.reading = new Slots(reading);
    this.mutating = new Slots(mutating);
    this.authenticating = new UnauthenticatedSlots(reading === 0 || mutating === 0 ? 0 : reading + mutating);
  }
}
