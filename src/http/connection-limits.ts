import { refuseUnknownMembers } from '../values/did-you-mean.js';

const MIB = 1024 * 1024;

/** Limits on the resources that clients of a listener may occupy. */
export interface ConnectionLimits {
  /** The maximum number of connections at once; further ones are closed when they arrive. 0 means no limit. Default 10,000. */
  readonly maxConnections?: number;
  /** The maximum number of requests at once on one HTTP/2 connection. Default 250. */
  readonly maxStreams?: number;
  /**
   * Milliseconds that a client has to read a response other than a watch. After that, the client's connection or HTTP/2 stream is
   * destroyed. Default 60,000.
   */
  readonly answerTimeout?: number;
  /** Milliseconds for which the client of a watch may stop reading before the watch ends. Default 300,000. */
  readonly watchStallTimeout?: number;
  /**
   * The maximum number of bytes of responses that may wait for their clients, on all connections together. Each response counts 16 KiB
   * more than its body, and compression counts as 320 KiB; watches do not count. Above this limit, clients that have stopped reading are
   * cut off (after two seconds, above twice the limit after a tenth of a second), and responses of at least 16 KiB to GET requests are
   * replaced by 429 until there is room. Default 256 MiB.
   */
  readonly maxPendingBytes?: number;
  /**
   * The maximum memory in bytes for incomplete TLS handshakes and request heads (request line and headers), on all connections together.
   * Above this limit, the connections that use the most memory are closed, HTTP/1.x connections with 431. Default 64 MiB.
   */
  readonly maxHeadBytes?: number;
  /** The maximum number of bytes of a request's body that are still read (and discarded) after the response. Default 8 MiB. */
  readonly discardBytes?: number;
  /** The maximum number of milliseconds for which the rest of a request's body is still read after the response. Default 10,000. */
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
 * @throws TypeError for a limit that does not exist or is outside its range.
 */
export function connectionLimits(configured: ConnectionLimits = {}): Required<ConnectionLimits> {
  refuseUnknownMembers('limits', configured, Object.keys(DEFAULTS));
  for (const [name, value] of Object.entries(configured)) {
    const least = name === 'maxConnections' ? 0 : 1;
    if (value !== undefined && !(value >= least)) throw new TypeError(`${name} must be at least ${least}`);
  }
  const set = Object.fromEntries(Object.entries(configured).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...set };
}
