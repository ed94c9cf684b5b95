import { type Clock, reading } from '../meta/clock.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditBatchOptions } from './audit-sink.js';

const BUFFER = 10_000;
const BATCH = 400;
const WAIT = 100;
/** Characters of events that wait or are being written: objects can be of any size. */
const MAX_HELD = 64 * 1024 * 1024;
/** Milliseconds that an end waits for events to be written. */
const LAST_WAIT = 5_000;
const SECOND = 1000;

/** Takes events without ever making anybody wait, and hands them on in batches (spec 23.6). */
export class BatchQueue {
  readonly #clock: Clock;
  readonly #write: (records: readonly AuditRecord[]) => Promise<void>;
  readonly #options: Required<Omit<AuditBatchOptions, 'throttle'>>;
  readonly #throttle: AuditBatchOptions['throttle'];
  #waiting: AuditRecord[] = [];
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

  /** @param write must not reject. */
  constructor(
    clock: Clock,
    { bufferSize = BUFFER, maxSize = BATCH, maxWait = WAIT, throttle, concurrency = 1 }: AuditBatchOptions,
    write: (records: readonly AuditRecord[]) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#options = { bufferSize, maxSize, maxWait, concurrency };
    this.#throttle = throttle;
    this.#tokens = throttle?.burst ?? 0;
    this.#filled = reading(clock);
    this.#write = write;
  }

  /** False where the event found no room. */
  add(record: AuditRecord): boolean {
    const { length } = record.line;
    if (this.#closing || this.#waiting.length >= this.#options.bufferSize || this.#held + length > MAX_HELD)
      return false;
    this.#held += length;
    this.#waiting.push(record);
    this.#run();
    return true;
  }

  /** Writes what waits. @returns how many events were not written in time. */
  async close(): Promise<number> {
    this.#closing = true;
    this.#run();
    if (this.#waiting.length === 0 && this.#running === 0) return 0;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.setTimer(resolve, LAST_WAIT);
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
    const lost = this.#waiting.length;
    this.#waiting = [];
    return lost;
  }

  #run(): void {
    const { maxSize, concurrency, maxWait } = this.#options;
    while (this.#waiting.length > 0 && this.#running < concurrency) {
      if (this.#waiting.length < maxSize && !this.#closing && !this.#waited) {
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
      this.#start(this.#waiting.splice(0, maxSize));
    }
    if (this.#waiting.length === 0 && this.#running === 0) this.#onIdle?.();
  }

  #wait(milliseconds: number, enough: boolean): void {
    this.#cancelWait = this.#clock.setTimer(() => {
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

  #start(batch: readonly AuditRecord[]): void {
    this.#running++;
    void this.#write(batch).then(() => {
      this.#running--;
      for (const { line } of batch) this.#held -= line.length;
      this.#run();
    });
  }
}
