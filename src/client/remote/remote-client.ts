import { type Clock, systemClock } from '../../meta/clock.js';
import { dialectOf } from '../../meta/dialect.js';
import type { Fetch, OutboundTls } from '../../meta/fetch.js';
import { type Random, systemRandom } from '../../meta/random.js';
import { systemFetch } from '../../outbound/system-fetch.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { builtinResources } from '../../resources/index.js';
import { Client } from '../client.js';

/** The options of `remoteClient`. */
export interface RemoteClientOptions {
  /** `https://host:port`, with the path prefix of the API if it has one. */
  readonly server: string;
  /** The API dialect of the server, which determines the names of API groups. Default `orch`; `k8s` for Kubernetes. */
  readonly dialect?: 'orch' | 'k8s';
  /** The client's User-Agent, which is also the field manager of its writes. Default `client`. */
  readonly userAgent?: string;
  /** The kinds that `resources()` may return. Default: all built-in ones. Calls accept any definition. */
  readonly resources?: readonly ResourceDefinition[];
  /**
   * How the server is verified, and the client's certificate. Default: the CA certificates that the system trusts, and no client
   * certificate.
   */
  readonly tls?: OutboundTls;
  /** Sends the requests, and may add credentials. Default: the runtime's own function, which adds none, so that the user is anonymous. */
  readonly fetch?: Fetch;
  /** The clock. Default: the machine's. */
  readonly clock?: Clock;
  /** The source of random values. Default: the runtime's. */
  readonly random?: Random;
}

/**
 * Makes a typed client of a server over HTTP, with the same calls, results and errors as in process. A watch reconnects as often as
 * necessary, until it is closed or its resourceVersion is too old (ApiError Expired). If there is no response, the call fails with an error
 * whose message begins `Get "<url>": `. Nothing is sent before the first call.
 * @throws TypeError for a server that is not a URL of http or https.
 */
export async function remoteClient(options: RemoteClientOptions): Promise<Client> {
  const { server, userAgent = 'client', resources = builtinResources, fetch = systemFetch } = options;
  if (!/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : ''))
    throw new TypeError(`the server must be a URL of http or https, not ${JSON.stringify(server)}`);
  // The module is loaded on demand, so that other users of the client do not pay for it.
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
