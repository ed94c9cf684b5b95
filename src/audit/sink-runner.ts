import type { Host } from '../meta/host.js';
import { isAtLeast } from './audit-event.js';
import type { LostEvents } from './audit-metrics.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditBatch, AuditSink, AuditTruncateOptions } from './audit-sink.js';
import { BatchQueue } from './batch-queue.js';

/** Passes events on to one sink, according to its mode. */
export class SinkRunner {
  readonly #sink: AuditSink;
  readonly #host: Host;
  readonly #lostEvents: LostEvents;
  readonly #name: string;
  readonly #queue: BatchQueue | undefined;
  readonly #strict: boolean;
  /** The maximum number of events that may be held back before this sink receives them. */
  readonly mayWait: number;

  /** @param flushAll passes on the events that were held back */
  constructor(sink: AuditSink, host: Host, lost: LostEvents, flushAll: () => void) {
    const { name = 'function', mode = 'batch', batch = {} } = sink;
    this.#sink = sink;
    this.#host = host;
    this.#lostEvents = lost;
    this.#name = name;
    this.#strict = mode === 'blocking-strict';
    if (mode === 'batch')
      this.#queue = new BatchQueue(
        host.clock,
        batch,
        () => sink.gather?.() ?? new ListBatch((records) => this.#write(records)),
        (error, events) => lost.add(name, error, events),
        flushAll,
      );
    this.mayWait = this.#queue?.batchSize ?? 1;
  }

  /** Passes an event on. Returns false if the request must be refused, because the sink is strict and lost the event. */
  take(record: AuditRecord): boolean | Promise<boolean> {
    const { truncate } = this.#sink;
    if (!truncate) return this.#enqueueOrWrite(record);
    const { parts, lost } = truncateRecords([record], truncate);
    if (lost > 0) this.#lostEvents.add('truncate', 'event is too large even after truncating', lost);
    const fits = parts[0]?.[0];
    return fits ? this.#enqueueOrWrite(fits) : true;
  }

  /** Starts the timer of the maximum wait, for events that are held back. */
  expect(): void {
    this.#queue?.expect();
  }

  async close(): Promise<void> {
    const left = (await this.#queue?.close()) ?? 0;
    if (left > 0) this.#lostEvents.add('buffered', 'audit backend shut down', left);
    await this.#sink.close?.(this.#host);
  }

  #enqueueOrWrite(record: AuditRecord): boolean | Promise<boolean> {
    if (!this.#queue) return this.#writeOne(record);
    if (!this.#queue.add(record)) this.#lostEvents.add('buffered', 'audit buffer queue blocked', 1);
    return true;
  }

  async #writeOne(record: AuditRecord): Promise<boolean> {
    try {
      await this.#write([record]);
      return true;
    } catch (error) {
      this.#lostEvents.add(this.#name, error, 1);
      return !this.#strict;
    }
  }

  async #write(records: readonly AuditRecord[]): Promise<void> {
    const { truncate } = this.#sink;
    // A batch of the queue may be larger than the maximum size of one write, so it is written in parts.
    const parts = truncate ? truncateRecords(records, truncate).parts : [records];
    for (const part of parts) await this.#sink.write(part, this.#host);
  }
}

/** A batch that collects its events in a list, for sinks that do not implement `gather`. */
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

const MAX_EVENT = 100 * 1024;
const MAX_BATCH = 10 * 1024 * 1024;

/** Events within the size limits of a sink, divided into batches to be written one after the other, and the number of dropped events. */
interface Bounded {
  readonly parts: readonly (readonly AuditRecord[])[];
  readonly lost: number;
}

/**
 * Applies the size limits of a sink to events: removes the objects from an event that is too large, and drops the event if it still is
 * (spec 23.6).
 */
export function truncateRecords(
  records: readonly AuditRecord[],
  { maxEventSize = MAX_EVENT, maxBatchSize = MAX_BATCH }: AuditTruncateOptions,
): Bounded {
  const parts: AuditRecord[][] = [];
  let lost = 0;
  let size = 0;
  for (const record of records) {
    const fits = record.size <= maxEventSize || !isAtLeast(record.level, 'Request') ? record : record.truncated();
    if (fits.size > maxEventSize) {
      lost++;
      continue;
    }
    const last = parts.at(-1);
    if (last && size + fits.size <= maxBatchSize) {
      last.push(fits);
      size += fits.size;
    } else {
      parts.push([fits]);
      size = fits.size;
    }
  }
  return { parts, lost };
}
