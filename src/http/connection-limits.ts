const MIB = 1024 * 1024;

/** Limits of what clients may occupy of a listener, however they behave. */
export interface ConnectionLimits {
  /** The most connections at once; further ones are closed when they arrive. 0: no limit. Default 10,000. */
  readonly maxConnections?: number;
  /** The most requests at once on one HTTP/2 connection. Default 250. */
  readonly maxStreams?: number;
  /** Milliseconds that a client has to read an answer other than a watch, after which its connection or stream ends. Default 60,000. */
  readonly answerTimeout?: number;
  /** Milliseconds for which the client of a watch may stop reading before the watch ends. Default 300,000. */
  readonly watchStallTimeout?: number;
  /**
   * The most bytes of large answers that may wait for their clients, on all connections together. Above it, clients that have stopped
   * reading are cut off, and large answers to reads become 429 until there is room. Default 256 MiB.
   */
  readonly maxPendingBytes?: number;
  /**
   * The most bytes of memory for incomplete TLS handshakes and request heads (request line and headers), on all connections together. Above
   * it, the connections that take most are closed, those of HTTP/1.x with 431. Default 64 MiB.
   */
  readonly maxHeadBytes?: number;
  /** The most bytes of a body that are still read (and discarded) after its request was answered. Default 8 MiB. */
  readonly discardBytes?: number;
  /** The most milliseconds for which the rest of a body is still read after the answer. Default 10,000. */
  readonly discardTimeout?: number;
}

const DEFAULTS: Required<ConnectionLimits> = {
  maxConnections: 10_000,
  maxStreams: 250,
  answerTimeout: 60_000,
  watchStallTimeout: 300_000,
  maxPendingBytes: 256 * MIB,
  maxHeadBytes: 64 * MIB,
  discardBytes: 8 * MIB,
  discardTimeout: 10_000,
};

/**
 * Adds the defaults to limits.
 * @throws TypeError for a limit outside its range.
 */
export function connectionLimits(configured: ConnectionLimits = {}): Required<ConnectionLimits> {
  for (const [name, value] of Object.entries(configured)) {
    const least = name === 'maxConnections' ? 0 : 1;
    if (value !== undefined && !(value >= least)) throw new TypeError(`${name} must be at least ${least}`);
  }
  const set = Object.fromEntries(Object.entries(configured).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...set };
}
