import { awaitedTimer, type Clock } from '../../meta/clock.js';
import { nextTurn } from '../../meta/flow.js';
import { messageOf } from '../../values/message-of.js';
import { encodeFrame, FrameReader } from './frames.js';
import type { Method } from './messages.js';
import type { NativeHeaders, NativeHttp2, NativeHttp2Socket, NativeSession, NativeStream } from './native-http2.js';
import { DEADLINE_EXCEEDED, EtcdError, INTERNAL, UNAUTHENTICATED, UNAVAILABLE } from './problems.js';
import { decode, type Message, type Table, WireError } from './wire.js';

/** The options of {@link Connection.open}. */
export interface ConnectionOptions {
  readonly http2: NativeHttp2;
  readonly clock: Clock;
  /** Certificates and keys in PEM, for `https` endpoints. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** The timeout for opening a connection, in milliseconds. */
  readonly connectTimeout: number;
}

/** The gRPC metadata of a call. It is sent as HTTP headers. */
export type Metadata = Readonly<Record<string, string>>;

/** The observer of a stream that stays open. */
export interface StreamObserver {
  message(bytes: Uint8Array): void;
  /** Called once, when either side has ended the stream. */
  ended(error: EtcdError): void;
}

/** A stream that stays open. */
export interface OpenStream {
  /** Sends a message. Returns false when the message was dropped, because the peer has not yet read the previous ones. */
  send(frame: Uint8Array): boolean;
  close(): void;
}

/** The maximum size in bytes of a received message. A page of the largest possible objects is about half as large. */
const MAX_MESSAGE = 256 * 1024 * 1024;
/**
 * The flow control window in bytes. It is about the bandwidth-delay product of a fast connection, so that the sender does not have to wait.
 */
const WINDOW = 4 * 1024 * 1024;
const MAX_UNSENT = 64 * 1024;
/**
 * The maximum memory of an HTTP/2 session in megabytes. It is large, because many large values may be sent at the same time, and a session
 * with more unsent data refuses calls.
 */
const SESSION_MEGABYTES = 256;
/** Milliseconds between pings. A connection that has not acknowledged a ping by the time of the next ping is given up. */
const PING_INTERVAL = 10_000;
const NO_ERROR = 0;
const REFUSED_STREAM = 7;
const CANCEL = 8;

/** A connection to one member of the cluster: calls and streams of gRPC over HTTP/2. */
export class Connection {
  readonly endpoint: string;
  readonly #session: NativeSession;
  readonly #socket: NativeHttp2Socket;
  readonly #clock: Clock;
  #cancelPing: (() => void) | undefined;
  #problem: string | undefined;
  #isUntrusted = false;
  #isGoing = false;
  #isRetired = false;
  /** The calls that have no result yet. */
  readonly #calls = new Set<Promise<unknown>>();
  /** Functions that end the open streams, because these do not end by themselves when the connection is closed. */
  readonly #endStreams = new Set<() => void>();

  /** @throws EtcdError UNAVAILABLE, marked as unsent, when the member cannot be reached. */
  static open(endpoint: string, { http2, clock, tls, connectTimeout }: ConnectionOptions): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const settings = { initialWindowSize: WINDOW, enablePush: false };
      const session = http2.connect(endpoint, { ...tls, settings, maxSessionMemory: SESSION_MEGABYTES });
      const cancel = clock.setTimer(() => fail('no connection in time'), connectTimeout, false, 'connection to etcd');
      const fail = (text: string, cause?: unknown) => {
        cancel();
        session.destroy();
        reject(
          new EtcdError(isOfTls(cause) ? UNAUTHENTICATED : UNAVAILABLE, `${endpoint}: ${text}`, {
            unsent: true,
            cause,
          }),
        );
      };
      // These listeners report a failure to connect. The open connection has listeners of its own.
      session.on('error', (error) => fail(messageOf(error), error));
      session.once('close', () => fail('the connection was closed'));
      session.once('connect', (_, socket) => {
        cancel();
        session.setLocalWindowSize(WINDOW);
        session.unref();
        resolve(new Connection(endpoint, session, socket, clock));
      });
    });
  }

  private constructor(endpoint: string, session: NativeSession, socket: NativeHttp2Socket, clock: Clock) {
    this.endpoint = endpoint;
    this.#session = session;
    this.#socket = socket;
    this.#clock = clock;
    session.on('error', (error) => {
      this.#problem = messageOf(error);
      this.#isUntrusted = isOfTls(error);
    });
    session.once('goaway', () => {
      this.#isGoing = true;
    });
    session.once('close', () => this.#cancelPing?.());
  }

  get isUsable(): boolean {
    return !(this.#isGoing || this.#session.destroyed || this.#session.closed);
  }

  /**
   * Makes a unary call.
   * @throws EtcdError the error that the etcd member reports, or that of the connection; DEADLINE_EXCEEDED after `timeout` milliseconds.
   */
  call<Q extends Table, A extends Table>(
    { path, request, answer }: Method<Q, A>,
    message: Message<Q>,
    { timeout, metadata = {} }: { readonly timeout: number; readonly metadata?: Metadata },
  ): Promise<Message<A>> {
    const call = new Promise<Message<A>>((resolve, reject) => {
      let result: Uint8Array | undefined;
      const stream = this.#open(path, { ...metadata, 'grpc-timeout': `${Math.ceil(timeout)}m` }, (bytes) => {
        result = bytes;
      });
      const cancel = awaitedTimer(
        this.#clock,
        () => {
          reject(new EtcdError(DEADLINE_EXCEEDED, `no response from ${this.endpoint} within ${timeout} ms`));
          stream.cancel();
        },
        timeout,
        'timeout of a call to etcd',
      );
      stream.whenEnded((error) => {
        cancel();
        if (error !== undefined) return reject(error);
        try {
          if (result === undefined) throw new EtcdError(INTERNAL, 'a response has no message');
          resolve(decode(answer, result));
        } catch (problem) {
          reject(problem instanceof WireError ? new EtcdError(INTERNAL, problem.message) : problem);
        }
      });
      stream.native.end(encodeFrame(request, message));
    });
    this.#calls.add(call);
    const forget = () => {
      this.#calls.delete(call);
      this.#endIfDone();
    };
    call.then(forget, forget);
    return call;
  }

  /** Opens a stream that stays open until either side ends it. While it is open, pings check the connection. */
  stream(path: string, observer: StreamObserver, metadata: Metadata = {}): OpenStream {
    const stream = this.#open(path, metadata, (bytes) => observer.message(bytes));
    this.#endStreams.add(stream.cancel);
    stream.whenEnded((error) => {
      this.#endStreams.delete(stream.cancel);
      observer.ended(error ?? new EtcdError(UNAVAILABLE, 'the stream was ended'));
    });
    this.#schedulePing();
    return {
      send(frame) {
        if (stream.native.destroyed || stream.native.writableLength > MAX_UNSENT) return false;
        stream.native.write(frame);
        return true;
      },
      close: () => stream.cancel(),
    };
  }

  /** Takes no more calls, ends the open streams, and closes once the calls under way have their responses or are timed out. */
  retire(): void {
    this.#isGoing = true;
    this.#isRetired = true;
    this.#cancelPing?.();
    for (const end of this.#endStreams) end();
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#isRetired && this.#calls.size === 0) this.close();
  }

  /** Closes the connection and aborts all calls and streams. */
  close(): void {
    this.#cancelPing?.();
    this.#session.destroy();
    // A session that ends gracefully, as after GOAWAY, leaves its socket open until the member closes it, which a hanging one never does.
    this.#socket.destroy();
  }

  #schedulePing(): void {
    if (this.#cancelPing !== undefined) return;
    let isAnswered = true;
    const look = () => {
      if (!isAnswered) {
        this.#problem = 'a ping got no response';
        this.#session.destroy();
        return;
      }
      isAnswered = false;
      this.#cancelPing = this.#clock.setTimer(look, PING_INTERVAL, false, 'ping of etcd');
      if (this.isUsable)
        this.#session.ping((error) => {
          isAnswered = error === null;
        });
    };
    this.#cancelPing = this.#clock.setTimer(look, PING_INTERVAL, false, 'ping of etcd');
  }

  /** Sends the headers of a request. The listener that is passed to `whenEnded` is called once. */
  #open(path: string, metadata: Metadata, onMessage: (bytes: Uint8Array) => void) {
    const native = this.#request(path, metadata);
    let failure: EtcdError | undefined;
    let status: NativeHeaders = {};
    let whenEnded = (_error: EtcdError | undefined): void => {};
    const cancel = () => native.close(CANCEL);
    const reader = new FrameReader(MAX_MESSAGE, onMessage);
    native.on('response', (headers) => {
      const code = headers[':status'];
      if (Number(code) !== 200) {
        failure = new EtcdError(UNAVAILABLE, `${this.endpoint} responded with HTTP status ${String(code)}`);
        cancel();
      } else if (headers['grpc-status'] !== undefined) status = headers;
    });
    native.on('trailers', (headers) => {
      status = headers;
    });
    native.on('data', (piece) => {
      if (failure !== undefined) return;
      try {
        reader.add(piece);
      } catch (error) {
        failure = error instanceof EtcdError ? error : new EtcdError(INTERNAL, messageOf(error), { cause: error });
        cancel();
      }
    });
    native.on('error', () => {
      // This error is ignored, because the code of the stream and the error of the session say what happened.
    });
    native.once('close', () => {
      const end = () => whenEnded(failure ?? this.#endOf(native, status));
      // If the connection broke, the session reports the reason only after its streams have closed, so the end of the call waits for one
      // turn.
      if (failure === undefined && status['grpc-status'] === undefined) void nextTurn().then(end);
      else end();
    });
    return {
      native,
      cancel,
      whenEnded: (listener: typeof whenEnded) => {
        whenEnded = listener;
      },
    };
  }

  #request(path: string, metadata: Metadata): NativeStream {
    const headers = {
      ...metadata,
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    };
    try {
      return this.#session.request(headers, { endStream: false });
    } catch (error) {
      throw new EtcdError(UNAVAILABLE, `${this.endpoint}: ${messageOf(error)}`, { unsent: true, cause: error });
    }
  }

  /** Returns the error that a stream ended with; undefined when its call succeeded. */
  #endOf({ rstCode }: NativeStream, status: NativeHeaders): EtcdError | undefined {
    const code = status['grpc-status'];
    if (code === undefined) {
      const reset = `the stream was reset (${rstCode})${this.endpoint.startsWith('https') ? ', or a certificate refused' : ''}`;
      const text = this.#problem ?? (rstCode === NO_ERROR ? 'no status was sent' : reset);
      // An etcd member refuses this server's certificate after the handshake, but before it processes calls, so the call counts as unsent.
      const unsent = this.#isUntrusted || rstCode === REFUSED_STREAM;
      return new EtcdError(this.#isUntrusted ? UNAUTHENTICATED : UNAVAILABLE, `${this.endpoint}: ${text}`, { unsent });
    }
    return Number(code) === 0 ? undefined : new EtcdError(Number(code), textOf(status['grpc-message']));
  }
}

/** Returns whether an error is caused by certificates, so that another attempt with the same etcd member cannot succeed. */
function isOfTls(error: unknown): boolean {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(code);
}

/** Decodes the message of an error. Bytes that headers cannot contain are percent-encoded in it. */
function textOf(message: NativeHeaders[string]): string {
  const text = String(message ?? 'no reason given');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
