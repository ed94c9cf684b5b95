import type { Host } from '../meta/host.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditRecord } from './audit-record.js';

/**
 * How events reach a sink. `batch`: requests never wait, and events are dropped if the queue is full. `blocking`: requests wait until each
 * event is written, or writing failed. `blocking-strict`: in addition, a request whose first event fails is refused.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** How events are collected in mode `batch`. */
export interface AuditBatchOptions {
  /** The most events that may wait; further ones are dropped. Default 10,000. */
  readonly bufferSize?: number;
  /** The most events in a batch. Default 400. */
  readonly maxSize?: number;
  /** Milliseconds after which an incomplete batch is written. Default 100. */
  readonly maxWait?: number;
  /** The average rate of batches per second, and the most that may be written in a burst. Default: no limit. */
  readonly throttle?: { readonly qps: number; readonly burst: number };
  /** The most batches that are written concurrently. Default 1, which keeps them in order. */
  readonly concurrency?: number;
}

/** Size limits. An event above them loses its objects, and is dropped if it is still too large. */
export interface AuditTruncateOptions {
  /** The most bytes of an event. Default 102,400. */
  readonly maxEventSize?: number;
  /** The most bytes of one write. Default 10,485,760. */
  readonly maxBatchSize?: number;
}

/** A batch of events that is collected for a sink. */
export interface AuditBatch {
  add(record: AuditRecord): void;
  /** Writes the batch. Called once, after the last event was added; rejects if the events are lost. */
  write(): Promise<void>;
}

/** A destination of events. */
export interface AuditSink {
  /** The name in messages and metrics. Default `function`. */
  readonly name?: string;
  /** The mode. Default `batch`. */
  readonly mode?: AuditMode;
  readonly batch?: AuditBatchOptions;
  /** The size limits. Default: no limits. */
  readonly truncate?: AuditTruncateOptions;
  /** Writes events, in the order in which they were made; throws or rejects if they are lost. */
  write(records: readonly AuditRecord[], host: Host): void | Promise<void>;
  /**
   * Starts a batch in mode `batch`, for a sink that need not keep the events themselves. Default: a list of events, which is passed to
   * `write`.
   */
  gather?(): AuditBatch;
  /** Closes the sink; no events follow. */
  close?(): void | Promise<void>;
}

/** The simplest sink: a function that receives events in mode `batch`. It throws or rejects if they are lost. */
export type AuditFunction = (events: readonly AuditEvent[]) => void | Promise<void>;

/** Makes a sink of a function, with a name and options of its own. */
export function functionSink(take: AuditFunction, options: Omit<AuditSink, 'write'> = {}): AuditSink {
  return { ...options, write: (records) => take(records.map(({ event }) => event)) };
}
