import { ApiError } from '../../meta/api-error.js';
import { type Clock, sleep } from '../../meta/clock.js';
import type { Dialect } from '../../meta/dialect.js';
import type { Fetch, FetchOptions, OutboundTls } from '../../meta/fetch.js';
import type { Random } from '../../meta/random.js';
import { requestFailed } from '../../outbound/bounded-request.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import type { ApiRequest } from '../../requests/api-request.js';
import { trimEnd } from '../../values/trim-end.js';
import type { ClientAnswer, ClientConnection } from '../connection.js';
import { failedAnswer, retryAfterOf } from './failed-answer.js';
import { answerOf } from './read-answer.js';
import { RemoteResources } from './remote-resources.js';
import { RemoteWatch } from './remote-watch.js';
import { WatchPosition } from './watch-position.js';

export interface RemoteConnectionOptions {
  /** `https://host:port`, with the path prefix of the API if it has one. */
  readonly server: string;
  readonly dialect: Dialect;
  /** Sends requests with the credentials of the client. */
  readonly fetch: Fetch;
  /** How the server is verified. Connections are pooled by the identity of this object. */
  readonly tls: OutboundTls;
  readonly clock: Clock;
  readonly random: Random;
  /** The kinds that the client may list as resources. */
  readonly definitions: readonly ResourceDefinition[];
}

/** The maximum number of times that a request is repeated because the response has a Retry-After. */
const MAX_RETRIES = 10;

/** Reaches a server over HTTP and converts its responses to the form that in-process callers get. */
export class RemoteConnection implements ClientConnection {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly random: Random;
  readonly isRemote = true;
  readonly #options: RemoteConnectionOptions;
  readonly #base: string;
  readonly #resources: RemoteResources;

  constructor(options: RemoteConnectionOptions) {
    this.#options = options;
    this.#base = trimEnd(options.server, '/');
    this.dialect = options.dialect;
    this.clock = options.clock;
    this.random = options.random;
    this.#resources = new RemoteResources(options, (path, accept) => this.#document(path, accept));
  }

  resources(): readonly ServedResource[] {
    return this.#resources.current;
  }
  onResourcesChange(callback: (change: undefined) => void): () => void {
    return this.#resources.onChange(() => callback(undefined));
  }

  async execute(request: ApiRequest): Promise<ClientAnswer> {
    const parameters = new URLSearchParams(request.query);
    if (parameters.get('watch') === 'true') return { type: 'watch', watch: await this.#watch(request, parameters) };
    const url = `${this.#base}${request.path}${request.query === '' ? '' : `?${request.query}`}`;
    return answerOf(await this.#text(url, request));
  }

  async #watch(request: ApiRequest, parameters: URLSearchParams): Promise<RemoteWatch> {
    const bookmarks = parameters.get('allowWatchBookmarks') === 'true';
    const seconds = parameters.get('timeoutSeconds');
    parameters.set('allowWatchBookmarks', 'true');
    const { clock, random } = this.#options;
    return await RemoteWatch.open({
      position: new WatchPosition(parameters, `${this.dialect.bareDomain}/initial-events-end`),
      open: async (watchQuery, signal) => {
        const url = `${this.#base}${request.path}?${watchQuery}`;
        const response = await this.#send(url, { ...request, signal }, true);
        if (response.status === 200) return response;
        throw failedAnswer('GET', response, await response.text());
      },
      clock,
      random,
      bookmarks,
      signal: request.signal,
      timeout: seconds === null ? undefined : Number(seconds) * 1000,
    });
  }

  /** Requests a document that is not an API object. */
  async #document(path: string, accept: string): Promise<unknown> {
    const headers = { get: () => undefined, all: () => [], names: () => [] };
    return JSON.parse(await this.#text(`${this.#base}${path}`, { method: 'GET', path, query: '', headers }, accept));
  }

  async #text(url: string, request: ApiRequest, accept?: string): Promise<string> {
    const response = await this.#send(url, request, false, accept);
    const text = await response.text().catch((error: unknown) => {
      throw requestFailed(methodOf(request), url, error);
    });
    if (response.status < 200 || response.status > 299) throw failedAnswer(request.method, response, text);
    return text;
  }

  /**
   * Sends a request, and repeats it if the response has status 429 or 5xx and a Retry-After.
   * @throws RequestFailed if there is no response.
   */
  async #send(url: string, request: ApiRequest, longLived: boolean, accept?: string): Promise<Response> {
    const { fetch, tls, clock } = this.#options;
    const { signal = new AbortController().signal } = request;
    const options: FetchOptions = {
      method: methodOf(request),
      headers: headersOf(request, accept),
      signal,
      redirect: 'manual',
      tls,
      ...(request.body?.type === 'object' ? { body: JSON.stringify(request.body.value) } : {}),
      ...(longLived ? { longLived } : {}),
    };
    for (let retries = 0; ; retries++) {
      const response = await fetch(url, options).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error instanceof ApiError ? error : requestFailed(options.method, url, error);
      });
      const wait = response.status === 429 || response.status >= 500 ? retryAfterOf(response) : undefined;
      if (wait === undefined || retries === MAX_RETRIES) return response;
      await response.body?.cancel();
      await sleep(clock, wait * 1000, signal, 'next try of a request');
      signal.throwIfAborted();
    }
  }
}

/** The client sends requests only with the methods of `FetchOptions`, so the cast is safe. */
const methodOf = ({ method }: ApiRequest) => method as FetchOptions['method'];

function headersOf({ headers, body }: ApiRequest, accept = 'application/json'): Record<string, string> {
  const userAgent = headers.get('user-agent');
  return {
    accept,
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(body === undefined ? {} : { 'content-type': headers.get('content-type') ?? 'application/json' }),
  };
}
