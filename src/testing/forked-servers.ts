import { ApiServer } from '../api-server.js';
import type { ApiServerOptions } from '../api-server-options.js';
import type { ForkOptions } from '../server/server-snapshot.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { checkFunction } from './check-arguments.js';
import { TestServer } from './test-server.js';

/** The options of `forkedServers`. */
export interface ForkedServersOptions {
  /** The options of the server. Default: those of `new ApiServer()` in the API dialect `k8s`. */
  readonly server?: ApiServerOptions;
  /** Prepares the common state of all tests (objects, kinds, roles). It is called once, before the first fork. Default: nothing. */
  readonly setUp?: (server: ApiServer) => unknown;
}

/**
 * Gives every test a server of its own: a fork of one server, which is started and set up at the first call of {@link fork}. It works with
 * any test runner: call `fork()` before each test, `close()` of the fork after the test, and {@link close} after all tests.
 */
export class ForkedServers implements AsyncDisposable {
  readonly #options: ForkedServersOptions;
  readonly #forks = new Set<TestServer>();
  #base: Promise<ApiServer> | undefined;
  #isClosed = false;

  constructor(options: ForkedServersOptions) {
    this.#options = options;
  }

  /**
   * Returns an independent server with the state that `setUp` has left.
   * @param options a clock or a random source for the fork.
   * @throws the error of the start or of `setUp`, at every call; TypeError after {@link close}.
   */
  async fork(options?: ForkOptions): Promise<TestServer> {
    this.#refuseClosed();
    this.#base ??= this.#start();
    const base = await this.#base;
    this.#refuseClosed();
    const fork = new TestServer(base.fork(options));
    this.#forks.add(fork);
    fork.server.on('closed', () => this.#forks.delete(fork));
    return fork;
  }

  /** Closes the server and the forks that are still open, even if closing one fails. @throws the first failure. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const results = await Promise.allSettled([...this.#forks].map((fork) => fork.close()));
    const base = await this.#base?.catch(() => undefined); // `fork` has already reported a failed start.
    await base?.close();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new TypeError('the servers of these tests are closed');
  }

  async #start(): Promise<ApiServer> {
    const { server: options, setUp } = this.#options;
    const server = new ApiServer({ dialect: 'k8s', ...options });
    try {
      await server.start();
      await setUp?.(server);
      // Forks start with all objects that controllers create, so that tests do not have to wait for them.
      await server.settle();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }
}

/**
 * Creates the servers for a test file, for any test runner. Nothing is started before the first fork.
 * @throws TypeError for an option that does not exist, and for a `setUp` that is not a function.
 */
export function forkedServers(options: ForkedServersOptions = {}): ForkedServers {
  refuseUnknownMembers('forkedServers', options, ['server', 'setUp']);
  if (options.setUp !== undefined) checkFunction('forkedServers', 'setUp', options.setUp);
  return new ForkedServers(options);
}
