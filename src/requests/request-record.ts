import type { FlowReport } from '../flow-control/flow-control.js';

/** A request that `handle`, `fetch` or a listener has answered. Credentials in it are masked. */
export interface RequestRecord {
  /** One of GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, CONNECT; `other` for any other method. */
  readonly verb: string;
  /** Path and query. */
  readonly uri: string;
  /** The milliseconds until the response was complete, or until a streamed response had been read. */
  readonly latency: number;
  /** The header `User-Agent`; '' if it is absent. */
  readonly userAgent: string;
  /** The id of the request in audit events, and in the header `Audit-Id` of the response. */
  readonly auditId: string;
  /**
   * The address that the request came from; undefined for a request that a program in this process passes to the server without a
   * connection.
   */
  readonly sourceAddress: string | undefined;
  /** The HTTP status of the response. */
  readonly status: number;
  /** How API Priority and Fairness treated the request; absent if it is off, or did not decide about the request. */
  readonly flow?: FlowReport | undefined;
}
