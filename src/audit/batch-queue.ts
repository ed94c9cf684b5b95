import { awaitedTimer, type Clock, reading } from '../meta/clock.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditBatch, AuditBatchOptions } from './audit-sink.js';

const BUFFER = 10_000;
const BATCH = 400;
const WAIT = 100;
/** Characters of events that wait or are being written: objects can be of any size. */
const MAX_HELD = 64 * 1024 * 1024;
/** Milliseconds that an end waits for events to be written. */
const LAST_WAIT = 5_000;
const SECOND = 1000;

/** Events that wait together. */
interface Waiting {
  readonly batch: AuditBatch;
  events: number;
  /** Characters of all of them. */
  held: number;
}

/** Takes events without ever making anybody wait, and hands them on in batches (spec 23.6). */
export class BatchQueue {
  readonly #clock: Clock;
  readonly #gather: () => AuditBatch;
  readonly #lost: (error: unknown, events: number) => void;
  readonly #passAll: () => void;
  readonly #options: Required<Omit<AuditBatchOptions, 'throttle'>>;
  readonly #throttle: AuditBatchOptions['throttle'];
  /** All but the last are full. */
  #batches: Waiting[] = [];
  /** Events of them. */
  #waiting = 0;
  /** Characters of all that wait or are under way. */
  #held = 0;
  #running = 0;
  #cancelWait: (() => void) | undefined;
  /** Whether the events that wait have waited long enough. */
  #waited = false;
  #tokens: number;
  #filled: number;
  #closing = false;
  #onIdle: (() => void) | undefined;

  /**
   * @param lost called for each batch that is lost
   * @param passAll adds the events that were expected
   */
  constructor(
    clock: Clock,
    { bufferSize = BUFFER, maxSize = BATCH, maxWait = WAIT, throttle, concurrency = 1 }: AuditBatchOptions,
    gather: () => AuditBatch,
    lost: (error: unknown, events: number) => void,
    passAll: () => void,
  ) {
    this.#clock = clock;
    this.#passAll = passAll;
    this.#options = { bufferSize, maxSize, maxWait, concurrency };
    this.#throttle = throttle;
    this.#tokens = throttle?.burst ?? 0;
    this.#filled = reading(clock);
    this.#gather = gather;
    this.#lost = lost;
  }

  /** Events of a batch, at most. */
  get batchSize(): number {
    return this.#options.maxSize;
  }

  /** Events of this moment are added later, but before they have waited too long. */
  expect(): void {
    if (!this.#cancelWait) this.#wait(this.#options.maxWait, true);
  }

  /** False where the event found no room. */
  add(record: AuditRecord): boolean {
    const { weight } = record;
    if (this.#closing || this.#waiting >= this.#options.bufferSize || this.#held + weight > MAX_HELD) return false;
    try {
      const last = this.#open();
      last.batch.add(record);
      last.events++;
      last.held += weight;
    } catch (error) {
      this.#lost(error, 1);
      return true;
    }
    this.#held += weight;
    this.#waiting++;
    // Most events have company to wait for.
    if (!this.#cancelWait || this.#waiting >= this.#options.maxSize) this.#run();
    return true;
  }

  /** The batch that is not full. */
  #open(): Waiting {
    const last = this.#batches.at(-1);
    if (last && last.events < this.#options.maxSize) return last;
    const opened = { batch: this.#gather(), events: 0, held: 0 };
    this.#batches.push(opened);
    return opened;
  }

  /** Writes what waits. @returns how many events were not written in time. */
  async close(): Promise<number> {
    this.#closing = true;
    this.#run();
    if (this.#waiting === 0 && this.#running === 0) return 0;
    await new Promise<void>((resolve) => {
      const cancel = awaitedTimer(this.#clock, resolve, LAST_WAIT);
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
    const lost = this.#waiting;
    this.#batches = [];
    this.#waiting = 0;
    return lost;
  }

  #run(): void {
    const { maxSize, concurrency, maxWait } = this.#options;
    while (this.#waiting > 0 && this.#running < concurrency) {
      if (this.#waiting < maxSize && !this.#closing && !this.#waited) {
        if (!this.#cancelWait) this.#wait(maxWait, true);
        return;
      }
      const pause = this.#closing ? 0 : this.#takeToken();
      this.#cancelWait?.();
      this.#cancelWait = undefined;
      if (pause > 0) {
        this.#wait(pause, this.#waited);
        return;
      }
      this.#waited = false;
      this.#start(this.#batches.shift() as Waiting); // events wait
    }
    if (this.#waiting === 0 && this.#running === 0) this.#onIdle?.();
  }

  #wait(milliseconds: number, enough: boolean): void {
    this.#cancelWait = this.#clock.setTimer(() => {
      this.#passAll();
      // What came by that begins no wait of its own.
      this.#cancelWait?.();
      this.#cancelWait = undefined;
      this.#waited = enough;
      this.#run();
    }, milliseconds);
  }

  /** Milliseconds until the next batch may go; 0 where it may go now. */
  #takeToken(): number {
    if (!this.#throttle) return 0;
    const { qps, burst } = this.#throttle;
    const now = reading(this.#clock);
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, now - this.#filled) * qps) / SECOND);
    this.#filled = now;
    if (this.#tokens < 1) return ((1 - this.#tokens) * SECOND) / qps;
    this.#tokens--;
    return 0;
  }

  #start({ batch, events, held }: Waiting): void {
    this.#running++;
    this.#waiting -= events;
    void writeOut(batch)
      .catch((error: unknown) => this.#lost(error, events))
      .then(() => {
        this.#running--;
        this.#held -= held;
        this.#run();
      });
  }
}

/** What a sink throws is a rejection, too. */
async function writeOut(batch: AuditBatch): Promise<void> {
  await batch.write();
}
