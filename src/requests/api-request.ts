import type { JsonObject } from '../json/value.js';
import type { ByteChannel } from '../meta/fetch.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';

/** A request in the server's own form, which is independent of Node's and the Fetch API's request objects. */
export interface ApiRequest {
  /** The method in upper case. */
  readonly method: string;
  /** The path as sent, percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** The headers, by name in lower case. */
  readonly headers: RequestHeaders;
  /**
   * The bytes of the body, read at most once and never beyond `maxBytes`; rejects with CallerGoneError if the caller disconnects before the
   * end. Absent for a request without a body.
   */
  readonly body?: RequestBody;
  /** The client's certificate chain, leaf first, DER; absent without one. */
  readonly peerCertificates?: readonly Uint8Array[];
  /** The address that the caller's connection comes from; absent for a caller in this process. */
  readonly remoteAddress?: string | undefined;
  /**
   * Releases the query and headers. It is called when the response to a watch begins, because they would stay in memory as long as the
   * watch.
   */
  dropHead?(): void;
  /** The size of the target and headers in bytes; absent for a caller in this process. */
  readonly headBytes?: number;
  /**
   * Whether the connection is HTTP/2, on which the caller can send several requests at once. The header `Connection: close` in a response
   * then ends the whole connection after the response.
   */
  readonly http2?: boolean;
  /** The `host:port` to which the caller is connected. Discovery reports it. */
  readonly host?: string;
  /** Whether the connection can be upgraded: the caller requests a protocol upgrade, and the response may have a body of type `channel`. */
  readonly takesChannel?: boolean;
  /** Fires when the caller disconnects. */
  readonly signal?: AbortSignal;
  /** Yields to the event loop; called between the steps in which a large body is processed. If absent, the steps run without a break. */
  readonly pause?: () => Promise<void>;
}

/** The options of a request that an embedding program passes to the server. */
export interface CallerOptions {
  /**
   * The user that the request acts as. The credentials of the request are ignored, and no group is added. Include the group
   * `system:authenticated` if the default roles are to apply. Default: the server authenticates the request.
   */
  readonly user?: UserInfo | undefined;
}

/** The caller disconnected while it sent the body: no response can be sent, and the server is not at fault. */
export class CallerGoneError extends Error {
  constructor() {
    super('the client went away before the request was complete');
    this.name = 'CallerGoneError';
  }
}

/** The body of a request: bytes, or an object of a caller in this process. */
export type RequestBody =
  | {
      readonly type: 'bytes';
      read(maxBytes: number): Promise<Uint8Array | 'tooLarge'>;
      /**
       * Returns the bytes if all of them have arrived already and they are at most `maxBytes`; otherwise undefined, and `read` has to be
       * called. A small body usually arrives together with the head, and then needs neither a promise nor a time limit. Default: undefined.
       */
      arrived?(maxBytes: number): Uint8Array | undefined;
      /**
       * Returns the body as a stream, for requests that are forwarded; it is called instead of `read`. If absent, the body is read in full
       * before it is forwarded.
       */
      stream?(): BodyStream;
    }
  /**
   * An object from an in-process caller, which needs no decoding. The server may change its members, except for frozen ones; the caller
   * must not change the object any more.
   */
  | { readonly type: 'object'; readonly value: JsonObject };

/** A request body of any length, whose bytes are passed on as they arrive. */
export interface BodyStream {
  /** The number of bytes of the body; present only if the HTTP layer guarantees it. */
  readonly length?: number;
  /** The bytes, read from the connection only as fast as they are consumed. Fails with CallerGoneError when the caller disconnects. */
  readonly bytes: ReadableStream<Uint8Array>;
  /** Stops reading: `bytes` fails unless it has ended, and the rest of the body is discarded. */
  leave(): void;
}

/** The response to an {@link ApiRequest}. */
export interface ApiResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. Names have the case in which they are sent, and an array is sent as several header lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body. */
  readonly body: ResponseBody;
  /** Whether the body may be compressed: the caller accepts gzip, and the body is large enough (spec 9.14). */
  readonly gzip?: true;
}

/** The body of an {@link ApiResponse}. */
export type ResponseBody =
  | { readonly type: 'none' }
  /** The chunks of the body in order; `length` is the number of bytes in all chunks together. */
  | { readonly type: 'bytes'; readonly chunks: readonly Uint8Array[]; readonly length: number }
  /**
   * A `finite` stream is one large body that is encoded while it is read and ends by itself. Other streams end at the latest when the
   * server closes.
   */
  | { readonly type: 'stream'; readonly stream: ByteStream; readonly finite?: boolean; readonly events?: EventChunks }
  /** The upgraded connection of a 101 response. A body of this type is returned only if the request has `takesChannel`. */
  | { readonly type: 'channel'; readonly channel: ByteChannel }
  /** The connection is closed without a response; `why` is the reason. */
  | { readonly type: 'lost'; readonly why: string };

/**
 * Marks a stream in which every chunk is one watch event. A WebSocket needs these boundaries, because it sends each event as one message
 * (spec 4.16).
 */
export interface EventChunks {
  /** The size in bytes of the length prefix of each event; 0 if the events are text. */
  readonly lengthBytes: number;
}

/**
 * Bytes that arrive over time: a watch, or a large body. Several streams may share a chunk, so a reader must not change it. A reader that
 * is done with a chunk may pass it to `releaseSlab`, which ignores shared chunks.
 */
export interface ByteStream {
  /** Returns the chunks that wait, or the first of them if there are many; [] if no chunks wait. */
  take(): readonly Uint8Array[];
  /** Called when the stream becomes readable, and when it has ended. */
  onReadable: (() => void) | undefined;
  /** Whether the stream has ended. No more chunks arrive then, but the waiting ones may still be taken. */
  readonly ended: boolean;
  /**
   * The reason why the stream ended too early; undefined if it is complete or has not ended. The reader must not treat an incomplete stream
   * as complete.
   */
  readonly broken?: string | undefined;
  /** Keeps the process alive while a reader in this process waits for a chunk. Returns a function that lets the process exit again. */
  hold?(): () => void;
  /** Closes the stream, because its reader has left. */
  close(): void;
}
