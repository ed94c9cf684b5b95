import type { Client } from '../client/client.js';
import type { Listener } from '../http/index.js';
import type { CoreApiServer } from '../server/core-api-server.js';

/** A server for one test, with a client and a kubeconfig. */
export class TestServer implements AsyncDisposable {
  /** The server. */
  readonly server: CoreApiServer;
  /** A client that may do everything. */
  readonly client: Client;
  #listener: Promise<Listener> | undefined;
  #closing: Promise<void> | undefined;

  constructor(server: CoreApiServer) {
    this.server = server;
    this.client = server.client();
  }

  /**
   * Returns an administrator's kubeconfig as YAML, for `KubeConfig.loadFromString()` of `@kubernetes/client-node`, kubectl or another
   * program. The first call opens a port on the loopback address.
   * @throws TypeError after {@link close}.
   */
  async kubeconfig(): Promise<string> {
    if (this.#closing) throw new TypeError('the server of this test is closed');
    this.#listener ??= listenOn(this.server);
    return await (await this.#listener).kubeconfig();
  }

  /** Closes the port, if one is open, with all its connections, and then the server. Later calls return the promise of the first call. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    try {
      // The grace periods are 0, because connections that a test has left open must not delay its end.
      await (await this.#listener)?.close({ graceMilliseconds: 0, watchGraceMilliseconds: 0 });
    } finally {
      await this.server.close();
    }
  }
}

/** The module is loaded at its first use, because most tests need no port. */
async function listenOn(server: CoreApiServer): Promise<Listener> {
  const { listen } = await import('../http/index.js');
  return await listen(server);
}
