import type { Host } from '../meta/host.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditRecord } from './audit-record.js';

/**
 * `batch`: requests never wait, and what finds no room is dropped. `blocking`: requests wait until each event is written, or was
 * lost. `blocking-strict`: a request whose first event is lost is refused.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** How events are gathered in mode `batch`. */
export interface AuditBatchOptions {
  /** Events that wait at most; what comes then is dropped. Default 10,000. */
  readonly bufferSize?: number;
  /** Events of a batch. Default 400. */
  readonly maxSize?: number;
  /** Milliseconds until a batch that is not full is written. Default 100. */
  readonly maxWait?: number;
  /** Batches a second, on average, and how many may come at once. Default: not bounded. */
  readonly throttle?: { readonly qps: number; readonly burst: number };
  /** Batches that are under way at once. Default 1: they come in order. */
  readonly concurrency?: number;
}

/** Events above the bounds lose their objects; those still above it are dropped. */
export interface AuditTruncateOptions {
  /** Bytes of an event. Default 102,400. */
  readonly maxEventSize?: number;
  /** Bytes of what is written at once. Default 10,485,760. */
  readonly maxBatchSize?: number;
}

/** Events on their way to a sink. */
export interface AuditBatch {
  add(record: AuditRecord): void;
  /** Called once, when no more are added; rejects where they are lost. */
  write(): Promise<void>;
}

/** Where events go. */
export interface AuditSink {
  /** In messages and metrics. Default `function`. */
  readonly name?: string;
  /** Default `batch`. */
  readonly mode?: AuditMode;
  readonly batch?: AuditBatchOptions;
  /** Default: events are as large as they are. */
  readonly truncate?: AuditTruncateOptions;
  /** Takes events, in the order they were made; throws or rejects where they are lost. */
  write(records: readonly AuditRecord[], host: Host): void | Promise<void>;
  /**
   * What gathers events in mode `batch`, for a sink that can do with less than the events themselves. Default: a list of them, which
   * goes to `write`.
   */
  gather?(): AuditBatch;
  /** Ends it; no events come after that. */
  close?(): void | Promise<void>;
}

/** The shortest sink: a function of events, in mode `batch`. Throws or rejects where they are lost. */
export type AuditFunction = (events: readonly AuditEvent[]) => void | Promise<void>;

/** A function as a sink with a name and modes of its own. */
export function functionSink(take: AuditFunction, options: Omit<AuditSink, 'write'> = {}): AuditSink {
  return { ...options, write: (records) => take(records.map(({ event }) => event)) };
}
