import { ApiServer } from '../api-server.js';
import type { ApiServerOptions } from '../api-server-options.js';
import { isAlreadyExists } from '../meta/api-error.js';
import { namespace as namespaceKind, secret } from '../resources/core/index.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { TestServer } from './test-server.js';

/** The options of {@link fleet}. */
export interface FleetOptions {
  /** The options of each server, or a function that returns them for the server at an index. Default: the dialect `k8s`. */
  readonly server?: ApiServerOptions | ((index: number) => ApiServerOptions);
  /** The namespace of the Secrets. It is created if it is missing. Default `default`. */
  readonly namespace?: string;
}

/** The maximum number of servers in a fleet. */
const MAX_SERVERS = 100;
/**
 * The label by which multicluster-runtime (Kubernetes SIGs) finds the Secrets of clusters. Each of these Secrets contains a kubeconfig
 * under the key `kubeconfig`.
 */
const LABEL = 'sigs.k8s.io/multicluster-runtime-kubeconfig';

/** Several servers, for controllers of more than one cluster. */
export class Fleet implements AsyncDisposable {
  /** The servers. The Secrets of the other servers refer to the server at index `i` as `cluster-<i + 1>`. */
  readonly clusters: readonly TestServer[];

  constructor(clusters: readonly TestServer[]) {
    this.clusters = clusters;
  }

  /** Closes all servers, even if closing one fails. @throws the first failure. */
  async close(): Promise<void> {
    const results = await Promise.allSettled(this.clusters.map((cluster) => cluster.close()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Starts several independent servers, each with a port on the loopback address. Each server has a Secret for every other server, named
 * `cluster-1`, `cluster-2` and so on. It contains an administrator's kubeconfig under `kubeconfig` and has the label of
 * multicluster-runtime.
 * @param size the number of servers, from 1 to 100.
 * @throws TypeError for a number out of range or an option that does not exist. If one server fails to start, the others are closed.
 */
export async function fleet(size: number, options: FleetOptions = {}): Promise<Fleet> {
  if (!Number.isSafeInteger(size) || size < 1 || size > MAX_SERVERS)
    throw new TypeError(`a fleet has 1 to ${MAX_SERVERS} servers, not ${String(size)}`);
  refuseUnknownMembers('fleet', options, ['server', 'namespace']);
  const { server = {}, namespace = 'default' } = options;
  const clusters: TestServer[] = [];
  const made = new Fleet(clusters);
  try {
    for (let index = 0; index < size; index++) {
      const own = typeof server === 'function' ? server(index) : server;
      clusters.push(new TestServer(new ApiServer({ dialect: 'k8s', ...own })));
    }
    await Promise.all(clusters.map((cluster) => cluster.server.start()));
    const kubeconfigs = await Promise.all(clusters.map((cluster) => cluster.kubeconfig()));
    await Promise.all(clusters.map((cluster, own) => addSecrets(cluster, namespace, kubeconfigs, own)));
    return made;
  } catch (error) {
    await made.close().catch(() => {}); // The first failure is reported, so a failure to close is ignored.
    throw error;
  }
}

async function addSecrets(
  { client }: TestServer,
  namespace: string,
  kubeconfigs: readonly string[],
  own: number,
): Promise<void> {
  await client.create(namespaceKind, { metadata: { name: namespace } }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  for (const [index, kubeconfig] of kubeconfigs.entries()) {
    if (index === own) continue;
    const metadata = { name: `cluster-${index + 1}`, labels: { [LABEL]: 'true' } };
    await client.create(secret, { metadata, stringData: { kubeconfig } }, { namespace });
  }
}
