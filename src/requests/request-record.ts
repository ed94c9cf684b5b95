/** One request from outside, once it was answered. Nothing in it is a credential: those are masked. */
export interface RequestRecord {
  /** GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, CONNECT. */
  readonly verb: string;
  /** Path and query. */
  readonly uri: string;
  /** Milliseconds until the answer was there, or had been read where it is made as it is read. */
  readonly latency: number;
  readonly userAgent: string;
  readonly auditId: string;
  /** Undefined in process. */
  readonly sourceAddress: string | undefined;
  readonly status: number;
}
