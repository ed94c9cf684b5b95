import type { JsonObject } from '../json/value.js';
import type { ByteChannel } from '../meta/fetch.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';

/** A request as the core sees it: neither a Node nor a Fetch object. */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /**
   * The body's bytes, read at most once and never beyond `maxBytes`; rejects with CallerGoneError when they will not come.
   * Absent when there is none.
   */
  readonly body?: RequestBody;
  readonly peerCertificates?: readonly Uint8Array[];
  /** The address the caller's connection comes from; absent in process. */
  readonly remoteAddress?: string | undefined;
  /** Releases the query and headers. Called when the answer of a watch begins, which may stay open for an hour. */
  dropHead?(): void;
  /** Size of the target and headers in bytes; absent in process. */
  readonly headBytes?: number;
  /** Whether the caller can ask for several things at once over one connection, which a header `Connection: close` ends. */
  readonly http2?: boolean;
  /** `host:port` the caller reached, as discovery reports it. */
  readonly host?: string;
  /** Whether the answer may be a channel: the caller asks for another protocol, on a connection that can be handed over. */
  readonly takesChannel?: boolean;
  /** Fires when the caller is gone. */
  readonly signal?: AbortSignal;
  /** Lets the process do other work; called between the steps of a large body. Absent: the steps follow each other. */
  readonly pause?: () => Promise<void>;
}

/** What the program that passes a request on knows of its caller. */
export interface CallerOptions {
  /**
   * Whose request it is: credentials in it are not looked at, and no group is added. Name `system:authenticated` among the groups
   * where the default roles are to count. Default: the server's authentication finds out.
   */
  readonly user?: UserInfo | undefined;
}

/** The caller broke off while it sent the body: there is no one to answer, and nothing is wrong here. */
export class CallerGoneError extends Error {
  constructor() {
    super('the client went away before the request was complete');
    this.name = 'CallerGoneError';
  }
}

export type RequestBody =
  | {
      readonly type: 'bytes';
      read(maxBytes: number): Promise<Uint8Array | 'tooLarge'>;
      /** The body as it comes, instead of `read`, for who passes it on. Absent: it is passed on when it was read. */
      stream?(): BodyStream;
    }
  /** In-process: an object that skips the bytes. It belongs to the request, but for frozen parts; its caller does not change it. */
  | { readonly type: 'object'; readonly value: JsonObject };

/** A body on its way, of any length. */
export interface BodyStream {
  /** How many bytes they will be, where whoever takes them off the wire sees to it. */
  readonly length?: number;
  /** No faster than they are read. Fails with CallerGoneError when the caller breaks off. */
  readonly bytes: ReadableStream<Uint8Array>;
  /** Its reader leaves: `bytes` fail, unless they have ended, and what else comes is discarded. */
  leave(): void;
}

export interface ApiResponse {
  readonly status: number;
  /** Names in the case they are sent; lists are sent as several lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: ResponseBody;
  /** The caller takes the body compressed, and it is large enough for that: whoever sends it may do so (spec 9.14). */
  readonly gzip?: true;
}

export type ResponseBody =
  | { readonly type: 'none' }
  /** Chunks of one body, in order; `length` is their sum. */
  | { readonly type: 'bytes'; readonly chunks: readonly Uint8Array[]; readonly length: number }
  /** `finite`: the pieces of one large body, made as they are taken; it ends by itself. Others are ended with the server. */
  | { readonly type: 'stream'; readonly stream: ByteStream; readonly finite?: boolean; readonly events?: EventChunks }
  /** Of a 101, for a caller that takes it: what the connection is from then on. */
  | { readonly type: 'channel'; readonly channel: ByteChannel };

/** Every chunk of a stream is one event of a watch, as a WebSocket carries them (spec 4.16). */
export interface EventChunks {
  /** Bytes before each event that say its length; without them the events are text. */
  readonly lengthBytes: number;
}

/**
 * Bytes that come over time: a watch, or a large body. Chunks are shared between streams and must not be changed.
 */
export interface ByteStream {
  /** Up to some chunks that wait now, all of one turn; [] when none wait. */
  take(): readonly Uint8Array[];
  /** Called when chunks wait that did not before, and when the stream ended. */
  onReadable: (() => void) | undefined;
  /** No more chunks will come (those waiting may still be taken). */
  readonly ended: boolean;
  /** Why it ended before it was complete: its reader must not take it for whole. */
  readonly broken?: string | undefined;
  /** Keeps the process alive while a reader in it waits for a chunk that a timer will bring; returns a function that ends that. */
  hold?(): () => void;
  /** The reader is gone. */
  close(): void;
}
