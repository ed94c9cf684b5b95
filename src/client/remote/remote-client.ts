import { type Clock, systemClock } from '../../meta/clock.js';
import { dialectOf } from '../../meta/dialect.js';
import type { Fetch, OutboundTls } from '../../meta/fetch.js';
import { type Random, systemRandom } from '../../meta/random.js';
import { systemFetch } from '../../outbound/system-fetch.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { builtinResources } from '../../resources/index.js';
import { Client } from '../client.js';

export interface RemoteClientOptions {
  /** `https://host:port`, with a path where the API is below one. */
  readonly server: string;
  /** The names that the server speaks. Default `orch`; `k8s` for the upstream's servers. */
  readonly dialect?: 'orch' | 'k8s';
  /** Names the owner of the fields it writes. Default `client`. */
  readonly userAgent?: string;
  /** The kinds that `resources()` is about. Default: all built-in ones. Calls take any definition. */
  readonly resources?: readonly ResourceDefinition[];
  /** How the server is known, and the client's certificate. Default: the authorities that the system trusts, no certificate. */
  readonly tls?: OutboundTls;
  /** Sends requests, and adds to them what shows who the caller is. Default: the runtime's own; the caller is anonymous. */
  readonly fetch?: Fetch;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: the runtime's. */
  readonly random?: Random;
}

/**
 * The typed client of a server that is reached by HTTP: the same calls as in process, with the same answers and errors. A watch goes
 * on over as many connections as it takes, until it is closed or its version is too old (ApiError Expired). A request that gets no
 * answer fails with an error whose message begins `Get "<url>": `. Nothing is sent before the first call.
 * @throws TypeError for a server that is not a URL of http or https.
 */
export async function remoteClient(options: RemoteClientOptions): Promise<Client> {
  const { server, userAgent = 'client', resources = builtinResources, fetch = systemFetch } = options;
  if (!/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : ''))
    throw new TypeError(`the server must be a URL of http or https, not ${JSON.stringify(server)}`);
  // Loaded by those who use it.
  const { RemoteConnection } = await import('./remote-connection.js');
  const connection = new RemoteConnection({
    server,
    dialect: dialectOf(options.dialect ?? 'orch'),
    fetch,
    tls: options.tls ?? {},
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    definitions: resources,
  });
  return new Client(connection, userAgent);
}
