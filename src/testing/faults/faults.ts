import type { Client } from '../../client/client.js';
import { requestFrom, responseFrom } from '../../client/fetch.js';
import { remoteClient } from '../../client/remote/remote-client.js';
import type { ApiError } from '../../meta/api-error.js';
import { type Clock, sleep, systemClock } from '../../meta/clock.js';
import type { Fetch } from '../../meta/fetch.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../../requests/api-request.js';
import { LOOPBACK_USER } from '../../server/clients.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { brokenAnswer, refusal } from './fault-answers.js';
import { OpenWatches, type WatchEnd } from './open-watches.js';
import { type RequestFilter, type RequestTarget, selects, targetOf } from './request-target.js';

/** A fault that was asked for. */
export interface Fault {
  /** How many requests met it. */
  readonly hits: number;
  /** No further request meets it. */
  remove(): void;
}

/** Requests that wait until they are let on. */
export interface Hold extends Fault {
  /** Resolves as soon as a request waits here. */
  arrived(): Promise<void>;
  /** Lets those that wait go on, and holds no others. */
  release(): void;
}

export interface FaultOptions {
  /** How many requests meet it; `Infinity`: all, until it is removed. Default 1. */
  readonly times?: number;
}

export interface FaultyServerOptions {
  /** What delays and the waits of its clients are measured by. Default: the machine's, whatever clock the server has. */
  readonly clock?: Clock;
}

interface Rule {
  readonly filter: RequestFilter;
  left: number;
  hits: number;
  /** Waits; what it is about follows from the signal. */
  readonly wait?: (signal: AbortSignal | undefined) => Promise<void>;
  /** Ends the request without the server. */
  readonly error?: ApiError | ((request: RequestTarget) => ApiError);
  /** The caller hears nothing: the server got the request, or did not. */
  readonly lost?: 'request' | 'answer';
}

const LOST = 'the connection was lost';

/**
 * A server behind a network that fails when a test says so. Its clients meet what is asked for here, in this order: `listen(faults)` serves
 * those that speak HTTPS, `faults.client()` is the typed client, `faults.fetch` takes requests. Clients of the server itself (`server.client()`,
 * its controllers) meet nothing, so that a test can look at what is there.
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
   * Answers requests with an error; the server does not see them. `apiError` makes every failure that the API knows.
   * @param error or what makes one for each request: `({ group, resource, name }) => apiError.conflict({ group, resource }, name, 'faster')`.
   */
  refuse(
    filter: RequestFilter,
    error: ApiError | ((request: RequestTarget) => ApiError),
    options?: FaultOptions,
  ): Fault {
    return this.#add({ filter, error }, options);
  }

  /** Lets requests wait before the server sees them. @param milliseconds by the clock of these faults. */
  delay(filter: RequestFilter, milliseconds: number, options?: FaultOptions): Fault {
    const wait = (signal: AbortSignal | undefined) => sleep(this.#clock, milliseconds, signal);
    return this.#add({ filter, wait }, options);
  }

  /** Lets requests wait until they are released: an order of events that no time decides. Default: every one. */
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
   * Breaks the connection instead of an answer.
   * @param what `answer`: the server did what was asked, its caller cannot know; `request`: it did not.
   */
  lose(filter: RequestFilter, what: 'answer' | 'request' = 'answer', options?: FaultOptions): Fault {
    return this.#add({ filter, lost: what }, options);
  }

  /**
   * Ends watches that are open now; returns how many.
   * @param how `timeout` (default): as the server ends each of them after a while; `lost`: the connection breaks; `expired`: with the event
   * of type ERROR and code 410 that says that their version is too old, so that a client has to list anew.
   */
  endWatches(filter: RequestFilter = {}, how: WatchEnd = 'timeout'): number {
    return this.#watches.end(filter, how);
  }

  /** The watches that are open now. */
  openWatches(filter: RequestFilter = {}): readonly RequestTarget[] {
    return this.#watches.list(filter);
  }

  /** Takes all faults back: what waits goes on. */
  clear(): void {
    this.#rules = [];
    for (const release of this.#releases) release();
    this.#releases.clear();
  }

  /**
   * The typed client, over bytes: its watches go on over other connections, as those of clients by network do, after some 0.8 to 1.6
   * seconds of the clock of these faults.
   * @param options.user whose requests these are. Default: a member of `system:masters`.
   * @param options.userAgent names the owner of the fields it writes; default `client`.
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

  /** Answers a WHATWG request. Rejects where the connection is lost, as a `fetch` by network. */
  async fetch(request: Request, options: CallerOptions = {}): Promise<Response> {
    const response = await this.#answer(requestFrom(request), options);
    if (response === undefined) throw new TypeError('fetch failed', { cause: new Error(LOST) });
    return responseFrom(response);
  }

  /** Answers a request as `listen` and `toNodeHandler` ask it; a connection that is lost is an answer that breaks off. */
  async handle(request: ApiRequest, options: CallerOptions = {}): Promise<ApiResponse> {
    return (await this.#answer(request, options)) ?? brokenAnswer(LOST);
  }

  /** The server's own. */
  get metrics(): CoreApiServer['metrics'] {
    return this.#server.metrics;
  }
  /** The server's own. */
  certificateAuthority(): ReturnType<CoreApiServer['certificateAuthority']> {
    return this.#server.certificateAuthority();
  }
  /** A certificate that the server knows. */
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

  /** What a request meets, in the order in which it was asked for; nothing comes after what ends it. */
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

  /** Undefined: the connection is lost. */
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

/** Puts a network that fails on demand between a server and its clients. The server is started and closed by whoever made it. */
export function injectFaults(server: CoreApiServer, options?: FaultyServerOptions): FaultyServer {
  return new FaultyServer(server, options);
}
