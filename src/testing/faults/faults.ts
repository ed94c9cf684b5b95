import type { Client } from '../../client/client.js';
import { requestFrom, responseFrom } from '../../client/fetch.js';
import { remoteClient } from '../../client/remote/remote-client.js';
import type { ApiError } from '../../meta/api-error.js';
import { type Clock, sleep, systemClock } from '../../meta/clock.js';
import type { Fetch } from '../../meta/fetch.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { ApiRequest, ApiResponse, ByteStream, CallerOptions } from '../../requests/api-request.js';
import { LOOPBACK_USER } from '../../server/clients.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { OpenWatches, type WatchEnd } from './open-watches.js';
import { type RequestFilter, type RequestTarget, selects, targetOf } from './request-target.js';

/** A fault that a test has set up. */
export interface Fault {
  /** The number of requests that met the fault. */
  readonly hits: number;
  /** Removes the fault for further requests. */
  remove(): void;
}

/** A fault that holds requests until they are released. */
export interface Hold extends Fault {
  /** Resolves as soon as a request is held. */
  arrived(): Promise<void>;
  /** Releases the held requests, and holds no more. */
  release(): void;
}

export interface FaultOptions {
  /** The number of requests that meet the fault; `Infinity` means all until it is removed. Default 1. */
  readonly times?: number;
}

export interface FaultyServerOptions {
  /** The clock for delays and for the waits of clients. Default: the machine's, whatever clock the server has. */
  readonly clock?: Clock;
}

interface Rule {
  readonly filter: RequestFilter;
  left: number;
  hits: number;
  /** Holds the request; the signal is that of the request. */
  readonly wait?: (signal: AbortSignal | undefined) => Promise<void>;
  /** Answers the request with an error instead of passing it to the server. */
  readonly error?: ApiError | ((request: RequestTarget) => ApiError);
  /** Breaks the connection before the server gets the request, or after it has answered. */
  readonly lost?: 'request' | 'answer';
}

const LOST = 'the connection was lost';

/**
 * A server behind a network that fails on demand. Its clients meet the faults in the order in which they were set up: `listen(faults)`
 * serves HTTPS, `faults.client()` is the typed client, and `faults.fetch` takes requests. Clients of the server itself (`server.client()`,
 * its controllers) meet no faults, so that a test can inspect the state.
 */
export class FaultyServer {
  readonly #server: CoreApiServer;
  readonly #clock: Clock;
  readonly #watches: OpenWatches;
  readonly #releases = new Set<() => void>();
  #rules: readonly Rule[] = [];

  constructor(server: CoreApiServer, { clock = systemClock }: FaultyServerOptions = {}) {
    this.#server = server;
    this.#clock = clock;
    this.#watches = new OpenWatches(server.dialect);
  }

  /**
   * Answers requests with an error, without passing them to the server. `apiError` makes every failure of the API.
   * @param error the error, or a function that makes one for each request: `({ group, resource, name }) => apiError.conflict({ group,
   * resource }, name, 'faster')`.
   */
  refuse(
    filter: RequestFilter,
    error: ApiError | ((request: RequestTarget) => ApiError),
    options?: FaultOptions,
  ): Fault {
    return this.#add({ filter, error }, options);
  }

  /**
   * Delays requests before the server gets them.
   * @param milliseconds on the clock of these faults.
   */
  delay(filter: RequestFilter, milliseconds: number, options?: FaultOptions): Fault {
    const wait = (signal: AbortSignal | undefined) => sleep(this.#clock, milliseconds, signal);
    return this.#add({ filter, wait }, options);
  }

  /** Holds requests until they are released, for an order of events that does not depend on time. Default: all requests. */
  hold(filter: RequestFilter, options: FaultOptions = { times: Number.POSITIVE_INFINITY }): Hold {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    const wait = async (signal: AbortSignal | undefined) => {
      arrive();
      await new Promise<void>((resolve) => {
        gate.then(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    };
    this.#releases.add(release);
    const fault = this.#add({ filter, wait }, options);
    return {
      get hits() {
        return fault.hits;
      },
      arrived: () => arrival,
      remove: () => fault.remove(),
      release: () => {
        fault.remove();
        this.#releases.delete(release);
        release();
      },
    };
  }

  /**
   * Breaks the connection of a request.
   * @param what `answer`: the server has processed the request but the caller gets no answer; `request`: the server does not get it.
   */
  lose(filter: RequestFilter, what: 'answer' | 'request' = 'answer', options?: FaultOptions): Fault {
    return this.#add({ filter, lost: what }, options);
  }

  /**
   * Ends the open watches; returns their number.
   * @param how `timeout` (default): as the server ends each watch after some time; `lost`: the connection breaks; `expired`: with an ERROR
   * event of code 410, which says that the version is too old, so that a client has to list again.
   */
  endWatches(filter: RequestFilter = {}, how: WatchEnd = 'timeout'): number {
    return this.#watches.end(filter, how);
  }

  /** Returns the open watches. */
  openWatches(filter: RequestFilter = {}): readonly RequestTarget[] {
    return this.#watches.list(filter);
  }

  /** Removes all faults and releases held requests. */
  clear(): void {
    this.#rules = [];
    for (const release of this.#releases) release();
    this.#releases.clear();
  }

  /**
   * Makes a typed client that communicates in bytes: its watches reconnect like those over a network, after about 0.8 to 1.6 seconds on the
   * clock of these faults.
   * @param options.user the user of the requests. Default: a member of `system:masters`.
   * @param options.userAgent the field manager of what it writes; default `client`.
   */
  async client({ user = LOOPBACK_USER, userAgent }: { user?: UserInfo; userAgent?: string } = {}): Promise<Client> {
    const fetch: Fetch = async (url, { method, headers, body, signal }) => {
      const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
      return await this.fetch(new Request(url, init), { user });
    };
    const { dialect } = this.#server;
    return await remoteClient({
      server: 'https://server',
      dialect: dialect.name,
      fetch,
      clock: this.#clock,
      ...(userAgent === undefined ? {} : { userAgent }),
    });
  }

  /** Answers a WHATWG request. Rejects if the connection is lost, like a `fetch` over a network. */
  async fetch(request: Request, options: CallerOptions = {}): Promise<Response> {
    const response = await this.#answer(requestFrom(request), options);
    if (response === undefined) throw new TypeError('fetch failed', { cause: new Error(LOST) });
    return responseFrom(response);
  }

  /** Answers a request of `listen` or `toNodeHandler`; a lost connection becomes an answer that breaks off. */
  async handle(request: ApiRequest, options: CallerOptions = {}): Promise<ApiResponse> {
    return (await this.#answer(request, options)) ?? brokenAnswer(LOST);
  }

  /** The metrics of the server. */
  get metrics(): CoreApiServer['metrics'] {
    return this.#server.metrics;
  }
  /** Returns the authority of the server. */
  certificateAuthority(): ReturnType<CoreApiServer['certificateAuthority']> {
    return this.#server.certificateAuthority();
  }
  /** Issues a client certificate that the server accepts. */
  issueClientCertificate(
    user: Pick<UserInfo, 'username' | 'groups'>,
  ): ReturnType<CoreApiServer['issueClientCertificate']> {
    return this.#server.issueClientCertificate(user);
  }

  #add(fault: Pick<Rule, 'filter' | 'wait' | 'error' | 'lost'>, { times = 1 }: FaultOptions = {}): Fault {
    if (!(times > 0)) throw new TypeError(`times must be above 0, not ${times}`);
    const rule: Rule = { ...fault, left: times, hits: 0 };
    this.#rules = [...this.#rules, rule];
    return {
      get hits() {
        return rule.hits;
      },
      remove: () => {
        this.#rules = this.#rules.filter((each) => each !== rule);
      },
    };
  }

  /** Finds the faults that a request meets, in the order in which they were set up, up to the first one that ends it. */
  #meet(target: RequestTarget): readonly Rule[] {
    const met: Rule[] = [];
    for (const rule of this.#rules) {
      if (!selects(rule.filter, target)) continue;
      met.push(rule);
      rule.hits++;
      if (--rule.left === 0) this.#rules = this.#rules.filter((each) => each !== rule);
      if (!rule.wait) break;
    }
    return met;
  }

  /** Returns undefined if the connection is lost. */
  async #answer(request: ApiRequest, options: CallerOptions): Promise<ApiResponse | undefined> {
    const target = targetOf(request);
    for (const { wait, error, lost } of this.#meet(target)) {
      await wait?.(request.signal);
      if (error) return refusal(typeof error === 'function' ? error(target) : error);
      if (!lost) continue;
      if (lost === 'answer') discard(await this.#server.handle(request, options));
      return undefined;
    }
    const response = await this.#server.handle(request, options);
    return target.verb === 'watch' ? this.#watches.add(target, response) : response;
  }
}

function discard({ body }: ApiResponse): void {
  if (body.type === 'stream') body.stream.close();
}

/** Puts a network that fails on demand between a server and its clients. The caller starts and closes the server. */
export function injectFaults(server: CoreApiServer, options?: FaultyServerOptions): FaultyServer {
  return new FaultyServer(server, options);
}

/** Encodes a failure as the server does for callers that accept JSON, which all do. */
function refusal({ code, status }: ApiError): ApiResponse {
  const bytes = new TextEncoder().encode(`${JSON.stringify(status)}\n`);
  const seconds = status.details?.retryAfterSeconds ?? 0;
  return {
    status: code,
    headers: { 'Content-Type': 'application/json', ...(seconds > 0 ? { 'Retry-After': String(seconds) } : {}) },
    body: { type: 'bytes', chunks: [bytes], length: bytes.length },
  };
}

/** Makes an answer that breaks off before its first byte. */
function brokenAnswer(why: string): ApiResponse {
  const stream: ByteStream = {
    take: () => [],
    onReadable: undefined,
    ended: true,
    broken: why,
    close: () => {},
  };
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: { type: 'stream', stream, finite: true },
  };
}
