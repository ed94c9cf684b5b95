const MIB = 1024 * 1024;

/** What clients may take of a listener, however they behave. */
export interface ConnectionLimits {
  /** Connections at once; those beyond are closed as they come. 0: any number. Default 10,000. */
  readonly maxConnections?: number;
  /** Requests at once on one connection of HTTP/2. Default 250. */
  readonly maxStreams?: number;
  /** Milliseconds a client has to read an answer other than a watch; its connection or stream ends then. Default 60,000. */
  readonly answerTimeout?: number;
  /** Milliseconds for which a watch may be unable to send what waits; it is ended then. Default 300,000. */
  readonly watchStallTimeout?: number;
  /**
   * Bytes of large answers that may wait for their clients, all connections together. Beyond it clients that have stopped
   * reading are cut off, and large answers to reads become 429 until there is room. Default 256 MiB.
   */
  readonly maxPendingBytes?: number;
  /**
   * Bytes of memory for TLS handshakes and request heads (request line and headers) that are not complete yet, of all connections
   * together. Beyond it the connections that take most are closed, those of HTTP/1.x with 431. Default 64 MiB.
   */
  readonly maxHeadBytes?: number;
  /** Bytes of a body that are still read (and discarded) after its request was answered. Default 8 MiB. */
  readonly discardBytes?: number;
  /** Milliseconds for the same. Default 10,000. */
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

/** @throws TypeError for a limit outside its range. */
export function connectionLimits(given: ConnectionLimits = {}): Required<ConnectionLimits> {
  for (const [name, value] of Object.entries(given)) {
    const least = name === 'maxConnections' ? 0 : 1;
    if (value !== undefined && !(value >= least)) throw new TypeError(`${name} must be at least ${least}`);
  }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...set };
}
