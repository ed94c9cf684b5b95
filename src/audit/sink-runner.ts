import type { Host } from '../meta/host.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditBatch, AuditSink } from './audit-sink.js';
import { BatchQueue } from './batch-queue.js';
import type { LostEvents } from './lost-events.js';
import { truncateRecords } from './truncate.js';

/** Passes events on to one sink, in its mode. */
export class SinkRunner {
  readonly #sink: AuditSink;
  readonly #host: Host;
  readonly #lost: LostEvents;
  readonly #name: string;
  readonly #queue: BatchQueue | undefined;
  readonly #strict: boolean;
  /** Events that may wait together before it gets them. */
  readonly mayWait: number;

  /** @param passAll hands on what waits for it */
  constructor(sink: AuditSink, host: Host, lost: LostEvents, passAll: () => void) {
    const { name = 'function', mode = 'batch', batch = {} } = sink;
    this.#sink = sink;
    this.#host = host;
    this.#lost = lost;
    this.#name = name;
    this.#strict = mode === 'blocking-strict';
    if (mode === 'batch')
      this.#queue = new BatchQueue(
        host.clock,
        batch,
        () => sink.gather?.() ?? new ListBatch((records) => this.#write(records)),
        (error, events) => lost.add(name, error, events),
        passAll,
      );
    this.mayWait = this.#queue?.batchSize ?? 1;
  }

  /** Whether a request may go on; false where the sink is strict and lost its event. */
  take(record: AuditRecord): boolean | Promise<boolean> {
    const { truncate } = this.#sink;
    if (!truncate) return this.#pass(record);
    const { parts, lost } = truncateRecords([record], truncate);
    if (lost > 0) this.#lost.add('truncate', 'event is too large even after truncating', lost);
    const fits = parts[0]?.[0];
    return fits ? this.#pass(fits) : true;
  }

  /** Events wait for it from now on. */
  expect(): void {
    this.#queue?.expect();
  }

  async close(): Promise<void> {
    const left = (await this.#queue?.close()) ?? 0;
    if (left > 0) this.#lost.add('buffered', 'audit backend shut down', left);
    await this.#sink.close?.();
  }

  #pass(record: AuditRecord): boolean | Promise<boolean> {
    if (!this.#queue) return this.#writeOne(record);
    if (!this.#queue.add(record)) this.#lost.add('buffered', 'audit buffer queue blocked', 1);
    return true;
  }

  async #writeOne(record: AuditRecord): Promise<boolean> {
    try {
      await this.#write([record]);
      return true;
    } catch (error) {
      this.#lost.add(this.#name, error, 1);
      return !this.#strict;
    }
  }

  async #write(records: readonly AuditRecord[]): Promise<void> {
    const { truncate } = this.#sink;
    // What the queue has put together may be more than is to be written at once.
    const parts = truncate ? truncateRecords(records, truncate).parts : [records];
    for (const part of parts) await this.#sink.write(part, this.#host);
  }
}

/** The events themselves. */
class ListBatch implements AuditBatch {
  readonly #records: AuditRecord[] = [];
  readonly #write: (records: readonly AuditRecord[]) => Promise<void>;

  constructor(write: (records: readonly AuditRecord[]) => Promise<void>) {
    this.#write = write;
  }

  add(record: AuditRecord): void {
    this.#records.push(record);
  }

  write(): Promise<void> {
    return this.#write(this.#records);
  }
}
