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
  /** `https://host:port`, with a path where the API is below one. */
  readonly server: string;
  readonly dialect: Dialect;
  /** Sends requests, with whatever shows who the caller is. */
  readonly fetch: Fetch;
  /** How the server is known. The same object means the same connections. */
  readonly tls: OutboundTls;
  readonly clock: Clock;
  readonly random: Random;
  /** The kinds that the client knows. */
  readonly definitions: readonly ResourceDefinition[];
}

/** Times that a server may ask for a request to be sent again later. */
const MAX_RETRIES = 10;

/** Reaches a server by HTTP: the answers that come are made into what callers in process get. */
export class RemoteConnection implements ClientConnection {
  readonly dialect: Dialect;
  readonly #options: RemoteConnectionOptions;
  readonly #base: string;
  readonly #resources: RemoteResources;

  constructor(options: RemoteConnectionOptions) {
    this.#options = options;
    this.#base = trimEnd(options.server, '/');
    this.dialect = options.dialect;
    this.#resources = new RemoteResources(options, (path, accept) => this.#document(path, accept));
  }

  resources(): readonly ServedResource[] {
    return this.#resources.current;
  }
  onResourcesChange(callback: () => void): () => void {
    return this.#resources.onChange(callback);
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
      open: async (asked, signal) => {
        const url = `${this.#base}${request.path}?${asked}`;
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

  /** A document that is not of one kind. */
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

  /** Sends a request, again where the server asks for that. @throws RequestFailed when there is no answer. */
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
      await sleep(clock, wait * 1000, signal);
      signal.throwIfAborted();
    }
  }
}

/** The client's own requests have no other methods. */
const methodOf = ({ method }: ApiRequest) => method as FetchOptions['method'];

function headersOf({ headers, body }: ApiRequest, accept = 'application/json'): Record<string, string> {
  const userAgent = headers.get('user-agent');
  return {
    accept,
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(body === undefined ? {} : { 'content-type': headers.get('content-type') ?? 'application/json' }),
  };
}
