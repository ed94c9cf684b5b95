import { ApiServer, type ApiServerOptions } from '../../src/index.js';
import { SharedBackend } from '../support/shared-storage.js';

/** Several started servers (dialect k8s) on one storage. */
export interface World extends AsyncDisposable {
  readonly backend: SharedBackend;
  readonly servers: readonly ApiServer[];
  /** Adds a server, and starts it. */
  join(options: ApiServerOptions): Promise<ApiServer>;
  /**
   * Waits until every server has received all changes and no controller has work left.
   * @throws Error if this does not end
   */
  rest(): Promise<void>;
  /** From this call on, servers receive the writes of other servers only when they must catch up. */
  hold(): void;
}

/** If the servers write more often than this, their work is assumed to be endless. */
const MOST_WRITES = 1500;

/** @param each the options of each server, or the number of servers without options. */
export async function openWorld(each: readonly ApiServerOptions[] | number = 2): Promise<World> {
  const backend = new SharedBackend();
  const all = typeof each === 'number' ? Array.from({ length: each }, () => ({})) : each;
  const servers: ApiServer[] = [];
  const join = async (options: ApiServerOptions) => {
    const server = new ApiServer({ dialect: 'k8s', storage: backend.storage, ...options });
    servers.push(server);
    await server.start();
    return server;
  };
  for (const options of all) await join(options);
  return {
    join,
    backend,
    servers,
    async rest() {
      const first = backend.revision;
      for (let same = 0; same < 4; ) {
        const before = backend.revision;
        backend.catchUp();
        for (const server of servers) await server.settle();
        await new Promise((resolve) => setImmediate(resolve));
        same = before === backend.revision ? same + 1 : 0;
        if (backend.revision - first > MOST_WRITES)
          throw new Error(`no end of writes: ${backend.log.slice(-6).map(({ key }) => key)}`);
      }
    },
    hold() {
      for (const view of backend.views) view.held = true;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.close();
    },
  };
}

/** Returns a server of a world. */
export function serverOf({ servers }: World, index: number): ApiServer {
  const server = servers[index % servers.length];
  if (!server) throw new TypeError('there is no server');
  return server;
}
