import { awaitedTimer, type Clock, reading } from '../../meta/clock.js';
import { messageOf } from '../../values/message-of.js';
import { Connection, type Metadata, type OpenStream, type StreamObserver } from './connection.js';
import { AUTHENTICATE, type Method } from './messages.js';
import type { NativeHttp2 } from './native-http2.js';
import { DEADLINE_EXCEEDED, EtcdError, isStaleToken, isUntrusted, mayPass, UNAVAILABLE } from './problems.js';
import type { Message, Table } from './wire.js';

/** Certificates and keys in PEM. */
export interface EtcdTls {
  /** The certificates of the CAs that issued the etcd members' certificates. Default: the CAs that Node trusts. */
  readonly ca?: string;
  /** The certificate with which this server authenticates to etcd, and its key. */
  readonly cert?: string;
  /** The client certificate's key, as PEM. */
  readonly key?: string;
}

export interface EtcdClientOptions {
  /** The URLs of the etcd members, `http` or `https`; the first member that answers is used. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
  /** The user, for clusters that authenticate users by passwords. */
  readonly user?: { readonly name: string; readonly password: string };
  readonly http2: NativeHttp2;
  readonly clock: Clock;
  /** The timeout of a call in milliseconds, for all its attempts together. Default 10 s. */
  readonly callTimeout?: number;
}

const CALL_TIMEOUT = 10_000;
const CONNECT_TIMEOUT = 5_000;
/** The pause in milliseconds between attempts to connect. It doubles with each failure, up to `LAST_BACKOFF`. */
const FIRST_BACKOFF = 50;
const LAST_BACKOFF = 1_000;

/**
 * A client of an etcd cluster. It has one connection, to one member. When the connection fails, the next call connects to the next member.
 * Calls that need a connection at the same time share one attempt to open it, and the pause between attempts grows with each failure.
 */
export class EtcdClient {
  readonly #options: EtcdClientOptions;
  #next = 0;
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #failures = 0;
  #lastFailure = Number.NEGATIVE_INFINITY;
  #lastProblem = 'none has answered';
  #token: string | undefined;
  #isClosed = false;

  constructor(options: EtcdClientOptions) {
    this.#options = options;
  }

  /**
   * Makes a call. It is repeated until the timeout, if the method is repeatable or the request was never sent.
   * @param timeout milliseconds for all attempts together; default: that of the client's options
   * @throws EtcdError
   */
  async call<Q extends Table, A extends Table>(
    method: Method<Q, A>,
    message: Message<Q>,
    timeout = this.#options.callTimeout ?? CALL_TIMEOUT,
  ): Promise<Message<A>> {
    const end = reading(this.#options.clock) + timeout;
    let renewed = false;
    for (;;) {
      const left = end - reading(this.#options.clock);
      let connection: Connection | undefined;
      try {
        connection = await this.#connectWithTimeout(left);
        const metadata = method === (AUTHENTICATE as unknown) ? {} : await this.#credentials(connection, left);
        const answer = await connection.call(method, message, { timeout: Math.max(1, left), metadata });
        this.#failures = 0;
        return answer;
      } catch (error) {
        if (isStaleToken(error) && this.#token !== undefined && !renewed) {
          renewed = true;
          this.#token = undefined;
          continue;
        }
        if (connection !== undefined && (mayPass(error) || isUntrusted(error))) this.#leave(connection, error);
        const mayRepeat = method.repeatable || (error instanceof EtcdError && error.unsent);
        const isOver = this.#isClosed || reading(this.#options.clock) >= end;
        // Each member has its own certificate, so the TLS verification may succeed with another member.
        const mayTryOther = isUntrusted(error) && this.#failures < this.#options.endpoints.length;
        if (!mayRepeat || isOver || !(mayPass(error) || mayTryOther)) throw error;
      }
    }
  }

  /**
   * Opens a stream. It ends with the connection.
   * @throws EtcdError when no member of the cluster can be reached
   */
  async stream(path: string, observer: StreamObserver, metadata: Metadata): Promise<OpenStream> {
    // No request waits for a stream, so the connection is awaited without a timer that would keep the process alive.
    const connection = await this.#connectOnce();
    const credentials = await this.#credentials(connection, CALL_TIMEOUT);
    return connection.stream(
      path,
      {
        message: (bytes) => {
          this.#failures = 0;
          observer.message(bytes);
        },
        ended: (error) => {
          if (isStaleToken(error)) this.#token = undefined;
          if (mayPass(error)) this.#leave(connection, error);
          observer.ended(error);
        },
      },
      { ...metadata, ...credentials },
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  /** Returns the connection, and opens it if necessary. @throws EtcdError after the timeout */
  async #connectWithTimeout(timeout: number): Promise<Connection> {
    if (this.#connection?.isUsable) return this.#connection;
    const timeoutError = () =>
      new EtcdError(DEADLINE_EXCEEDED, `no connection in time: ${this.#lastProblem}`, { unsent: true });
    return await withTimeout(this.#options.clock, timeout, this.#connectOnce(), timeoutError);
  }

  /** Returns the connection or the pending attempt to open one. All calls share this attempt. */
  async #connectOnce(): Promise<Connection> {
    if (this.#isClosed) throw new EtcdError(UNAVAILABLE, 'the client was closed', { unsent: true });
    if (this.#connection?.isUsable) return this.#connection;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  async #connect(): Promise<Connection> {
    const { endpoints, http2, clock, tls = {} } = this.#options;
    const pause = Math.min(LAST_BACKOFF, FIRST_BACKOFF * 2 ** (this.#failures - 1));
    // Each member of the cluster is tried once before the first pause.
    const wait = this.#failures < endpoints.length ? 0 : this.#lastFailure + pause - reading(clock);
    if (wait > 0)
      await new Promise<void>((resolve) =>
        clock.setTimer(resolve, Math.min(wait, pause), false, 'next connection to etcd'),
      );
    const endpoint = endpoints[this.#next % endpoints.length] ?? '';
    try {
      const opened = await Connection.open(endpoint, { http2, clock, tls, connectTimeout: CONNECT_TIMEOUT });
      if (this.#isClosed) opened.close();
      this.#connection?.retire();
      this.#connection = opened;
      return opened;
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  /** Gives a connection up, so that the next call goes to the next member of the cluster. */
  #leave(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    this.#failed(error);
    connection.retire();
  }

  #failed(error: unknown): void {
    this.#lastProblem = messageOf(error);
    this.#next++;
    this.#failures++;
    this.#lastFailure = reading(this.#options.clock);
  }

  /** Returns the metadata with the user's auth token; empty if no user is configured. The token is requested at the first use and kept. */
  async #credentials(connection: Connection, timeout: number): Promise<Metadata> {
    const { user } = this.#options;
    if (user === undefined) return {};
    if (this.#token === undefined) {
      const { token = '' } = await connection.call(AUTHENTICATE, user, { timeout });
      this.#token = token;
    }
    return { authorization: this.#token, token: this.#token };
  }
}

/** Resolves with the result of a promise. @throws the error that `timeoutError` returns, after the timeout in milliseconds */
function withTimeout<T>(clock: Clock, timeout: number, result: Promise<T>, timeoutError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = awaitedTimer(clock, () => reject(timeoutError()), Math.max(1, timeout), 'timeout of a call to etcd');
    result.then(resolve, reject).finally(cancel);
  });
}
