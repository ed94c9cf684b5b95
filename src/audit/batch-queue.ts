import { awaitedTimer, type Clock, reading } from '../meta/clock.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditBatch, AuditBatchOptions } from './audit-sink.js';

const BUFFER = 10_000;
const BATCH = 400;
const WAIT = 100;
/** The maximum number of characters of events that wait or are being written. It bounds the memory, because objects can be of any size. */
const MAX_HELD = 64 * 1024 * 1024;
/** The milliseconds that `close` waits until events are written. */
const LAST_WAIT = 5_000;
const SECOND = 1000;

/** A batch that is being collected, with the number of its events and their size. */
interface Waiting {
  readonly batch: AuditBatch;
  events: number;
  /** The sum of the events' weights, in characters. */
  held: number;
}

/** Accepts events without ever making a request wait, and passes them on in batches (spec 23.6). */
export class BatchQueue {
  readonly #clock: Clock;
  readonly #collectBatch: () => AuditBatch;
  readonly #onLost: (error: unknown, events: number) => void;
  readonly #flushAll: () => void;
  readonly #options: Required<Omit<AuditBatchOptions, 'throttle'>>;
  readonly #throttle: AuditBatchOptions['throttle'];
  /** The waiting batches; all but the last are full. */
  #batches: Waiting[] = [];
  /** The number of events in the waiting batches. */
  #waiting = 0;
  /** The number of events in the batches that are being written. */
  #writing = 0;
  /** The characters of all events that wait or are being written. */
  #heldCharacters = 0;
  #running = 0;
  #cancelWait: (() => void) | undefined;
  /** Whether the waiting events have waited for the maximum time. */
  #waited = false;
  #tokens: number;
  #filled: number;
  #closing = false;
  /** Whether {@link close} has counted the lost events. */
  #closed = false;
  #onIdle: (() => void) | undefined;

  /**
   * @param lost called for each batch that is lost
   * @param flushAll adds the events that were announced with {@link expect} to this queue
   */
  constructor(
    clock: Clock,
    { bufferSize = BUFFER, maxSize = BATCH, maxWait = WAIT, throttle, concurrency = 1 }: AuditBatchOptions,
    gather: () => AuditBatch,
    lost: (error: unknown, events: number) => void,
    flushAll: () => void,
  ) {
    this.#clock = clock;
    this.#flushAll = flushAll;
    this.#options = { bufferSize, maxSize, maxWait, concurrency };
    this.#throttle = throttle;
    this.#tokens = throttle?.burst ?? 0;
    this.#filled = reading(clock);
    this.#collectBatch = gather;
    this.#onLost = lost;
  }

  /** The maximum number of events in a batch. */
  get batchSize(): number {
    return this.#options.maxSize;
  }

  /** Starts the timer of the maximum wait, for events that the caller will add later. */
  expect(): void {
    if (!this.#cancelWait) this.#wait(this.#options.maxWait, true);
  }

  /** Adds an event. Returns false if there was no room for it. */
  add(record: AuditRecord): boolean {
    const { weight } = record;
    if (this.#closing || this.#waiting >= this.#room || this.#heldCharacters + weight > MAX_HELD) return false;
    try {
      const last = this.#open();
      last.batch.add(record);
      last.events++;
      last.held += weight;
    } catch (error) {
      this.#onLost(error, 1);
      return true;
    }
    this.#heldCharacters += weight;
    this.#waiting++;
    // If a timer is already set, a batch that is not full waits for it.
    if (!this.#cancelWait || this.#waiting >= this.#options.maxSize) this.#run();
    return true;
  }

  /** The number of events that may wait: a full buffer and, while a write may still begin, the batch that is being filled for it. */
  get #room(): number {
    const { bufferSize, maxSize, concurrency } = this.#options;
    return bufferSize + (this.#running < concurrency ? maxSize : 0);
  }

  /** Returns the last batch, or a new one if the last is full. */
  #open(): Waiting {
    const last = this.#batches.at(-1);
    if (last && last.events < this.#options.maxSize) return last;
    const opened = { batch: this.#collectBatch(), events: 0, held: 0 };
    this.#batches.push(opened);
    return opened;
  }

  /**
   * Writes the waiting events. @returns the number of events that were not written after `LAST_WAIT` milliseconds. They count as lost,
   * because the sink is closed next, and may not complete the writes in progress.
   */
  async close(): Promise<number> {
    this.#closing = true;
    this.#run();
    if (this.#waiting === 0 && this.#running === 0) return 0;
    await new Promise<void>((resolve) => {
      const cancel = awaitedTimer(this.#clock, resolve, LAST_WAIT, 'end of the wait for audit events');
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
    this.#closed = true;
    const lost = this.#waiting + this.#writing;
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
      // The loop runs only while events wait, so there is a batch, and the cast is safe.
      this.#start(this.#batches.shift() as Waiting);
    }
    if (this.#waiting === 0 && this.#running === 0) this.#onIdle?.();
  }

  #wait(milliseconds: number, enough: boolean): void {
    const write = () => {
      this.#flushAll();
      // Adding the flushed events may have set another timer. It is not needed, because the batches are written now.
      this.#cancelWait?.();
      this.#cancelWait = undefined;
      this.#waited = enough;
      this.#run();
    };
    this.#cancelWait = this.#clock.setTimer(write, milliseconds, false, 'next batch of audit events');
  }

  /**
   * Returns the milliseconds until the next batch may be written. If it returns 0, the batch may be written at once, and its token has been
   * taken.
   */
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
    this.#writing += events;
    void writeOut(batch)
      .catch((error: unknown) => {
        if (!this.#closed) this.#onLost(error, events);
      })
      .then(() => {
        this.#running--;
        this.#writing -= events;
        this.#heldCharacters -= held;
        this.#run();
      });
  }
}

/** Turns a synchronous error of a sink into a rejection. */
async function writeOut(batch: AuditBatch): Promise<void> {
  await batch.write();
}
