import type { Client } from '../../client/client.js';
import { equalJson } from '../../json/equal.js';
import { isAlreadyExists, isNotFound } from '../../meta/api-error.js';
import { domainName, groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { OWN_SERVICE } from '../../outbound/service-address.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { lease } from '../../resources/coordination/index.js';
import type { Endpoints } from '../../resources/core/core-v1.types.js';
import { endpoints, service } from '../../resources/core/index.js';
import { firstAddress } from '../../resources/core/service/pools.js';
import type { Service } from '../../resources/core/service/service.js';
import type { EndpointSlice } from '../../resources/discovery/discovery-v1.types.js';
import { endpointSlice } from '../../resources/discovery/index.js';
import {
  type ControllerContext,
  type ControllerDefinition,
  type ControllerHost,
  servedAs,
  stopAll,
} from '../controller.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';
import { HEARTBEAT, LivingServers } from './living-servers.js';

const { namespace: NAMESPACE, port: PORT } = OWN_SERVICE;
/** The target port of the Service when the server's own port is not known. */
const USUAL_PORT = 6443;

/**
 * The maximum number of repairs within one {@link HEARTBEAT}. It keeps servers that overwrite each other's objects from writing without
 * end.
 */
const MOST_REPAIRS = 8;

/**
 * Keeps the server's own Service at the first address of the service network. Its Endpoints and EndpointSlice list this server and all
 * other servers on its storage. The ports of the Service are corrected only at the start.
 */
export const apiService: ControllerDefinition = {
  name: 'api-service',
  ofServer: true,
  seeds: (host) => [seedsOf(service, [storedService(host)], { unowned: ['spec.clusterIPs', 'spec.ipFamilies'] })],
  follow(context) {
    const { host, queue } = context;
    queue.add('start');
    if (host.advertised) {
      repairStates.set(context, { servers: new LivingServers(context, host.advertised.address), repairs: [] });
      queue.add('endpoints');
      queue.add('endpointslices');
    }
    const isOwn = ({ metadata }: ApiObject): boolean =>
      metadata.namespace === NAMESPACE && metadata.name === host.dialect.apiService;
    const stops = [
      host.lister('', 'services').onChange((next, previous) => {
        if (!next && previous && isOwn(previous)) queue.add('service');
      }),
      host.lister('', 'endpoints').onChange((next, previous) => {
        // A change always has `next` or `previous`, so the cast is safe.
        if (!isOwn(next ?? (previous as ApiObject))) return;
        queue.add('endpoints');
        queue.add('endpointslices');
      }),
      host.lister(groupOf(host.dialect, 'discovery'), 'endpointslices').onChange((next, previous) => {
        if (isOwn(next ?? (previous as ApiObject))) queue.add('endpointslices');
      }),
    ];
    return stopAll(stops);
  },
  async reconcile(key, context) {
    if (key === 'endpoints') await keepEndpoints(context);
    else if (key === 'endpointslices') await keepEndpointSlice(context);
    else await keepService(context, key === 'start');
  },
};

/** The recent repairs of one server's Endpoints and EndpointSlice, and the servers that they list. */
interface RepairState {
  readonly servers: LivingServers;
  /** Times of the latest repairs, in milliseconds since the epoch. */
  readonly repairs: number[];
}
const repairStates = new WeakMap<ControllerContext, RepairState>();

/** Returns whether a repair must be delayed because there were too many repairs recently. If so, the key is queued again for later. */
function hasToWait(key: string, { host, queue }: ControllerContext, { repairs }: RepairState): boolean {
  const now = host.clock.now();
  while (repairs[0] !== undefined && repairs[0] <= now - HEARTBEAT) repairs.shift();
  if (repairs.length >= MOST_REPAIRS) {
    queue.addAfter(key, HEARTBEAT);
    return true;
  }
  repairs.push(now);
  return false;
}

async function keepService(context: ControllerContext, atStart: boolean): Promise<void> {
  const { host, client } = context;
  const desired = ownService(host);
  const current = host.lister<Service>('', 'services').get(NAMESPACE, desired.metadata.name);
  if (!current) return await createObject(context, service, desired);
  const { spec } = current;
  const { ports, type } = desired.spec;
  if (atStart && (spec.type !== type || !equalJson(spec.ports, ports)))
    await replaceObject(client, service, { ...current, spec: { ...spec, ports, type } });
}

function ownService({ dialect, serviceNetwork, advertised }: ControllerHost) {
  const { clusterIpRanges, ownNodePort = 0 } = serviceNetwork;
  const labels = { component: 'apiserver', provider: dialect.apiService };
  const port = { name: 'https', protocol: 'TCP', port: PORT, targetPort: advertised?.port ?? USUAL_PORT };
  return {
    metadata: { name: dialect.apiService, namespace: NAMESPACE, labels },
    spec: {
      ports: [ownNodePort === 0 ? port : { ...port, nodePort: ownNodePort }],
      clusterIP: firstAddress(clusterIpRanges[0] ?? ''),
      type: ownNodePort === 0 ? 'ClusterIP' : 'NodePort',
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
    },
  };
}

/** Returns the server's Service with the fields that the server would default when it is created. */
function storedService(host: ControllerHost) {
  const { metadata, spec } = ownService(host);
  const { ports, clusterIP, type, sessionAffinity, ipFamilyPolicy } = spec;
  return {
    metadata,
    spec: {
      ports,
      clusterIP,
      clusterIPs: [clusterIP],
      type,
      sessionAffinity,
      ...(type === 'NodePort' ? { externalTrafficPolicy: 'Cluster' } : {}),
      ipFamilies: [clusterIP.includes(':') ? 'IPv6' : 'IPv4'],
      ipFamilyPolicy,
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

async function keepEndpoints(context: ControllerContext): Promise<void> {
  const { host, client, queue } = context;
  const { dialect, lister, advertised: at } = host;
  const state = repairStates.get(context);
  if (!at || !state) return;
  const name = dialect.apiService;
  // The label keeps the mirroring controller from copying the Endpoints, because this controller writes the EndpointSlice itself.
  const labels = { [`endpointslice.${domainName(dialect, 'skip-mirror')}`]: 'true' };
  const ports = [{ name: 'https', port: at.port, protocol: 'TCP' }];
  const current = lister<Endpoints>('', 'endpoints').get(NAMESPACE, name);
  const [subset, ...more] = current?.subsets ?? [];
  // Endpoints with other ports or several subsets were not written by a server with the same configuration, so their addresses are ignored.
  const isAlike = more.length === 0 && equalJson(subset?.ports, ports);
  const currentAddresses = isAlike ? (subset?.addresses ?? []).map(({ ip }) => ip) : [];
  const addresses = servedAs(host, lease)
    ? await state.servers.keep(currentAddresses.filter((ip) => ip.includes(':') === at.address.includes(':')))
    : [at.address];
  if (addresses.length > 1) queue.addAfter('endpoints', HEARTBEAT);
  const subsets = [{ addresses: addresses.map((ip) => ({ ip })), ports }];
  if (current && equalJson(current.subsets, subsets) && isLabeled(current, labels)) return;
  if (hasToWait('endpoints', context, state)) return;
  if (!current) await createObject(context, endpoints, { metadata: { name, labels }, subsets });
  else await replaceObject(client, endpoints, { ...withLabels(current, labels), subsets });
}

/** Brings the EndpointSlice in line with the Endpoints. */
async function keepEndpointSlice(context: ControllerContext): Promise<void> {
  const { host, client } = context;
  const { dialect, lister, advertised: at } = host;
  const state = repairStates.get(context);
  if (!at || !state) return;
  const name = dialect.apiService;
  const labels = { [domainName(dialect, 'service-name')]: name };
  const addressType = at.address.includes(':') ? 'IPv6' : 'IPv4';
  const publishedAddresses = lister<Endpoints>('', 'endpoints')
    .get(NAMESPACE, name)
    ?.subsets?.[0]?.addresses?.map(({ ip }) => ip);
  const addresses = publishedAddresses?.includes(at.address) ? publishedAddresses : [at.address];
  const desired = {
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'https', port: at.port, protocol: 'TCP' }],
  };
  const current = lister<EndpointSlice>(groupOf(dialect, 'discovery'), 'endpointslices').get(NAMESPACE, name);
  const isRight =
    current && equalJson({ endpoints: current.endpoints, ports: current.ports }, desired) && isLabeled(current, labels);
  if (isRight || hasToWait('endpointslices', context, state)) return;
  if (!current) await createObject(context, endpointSlice, { metadata: { name, labels }, addressType, ...desired });
  else await replaceObject(client, endpointSlice, { ...withLabels(current, labels), ...desired });
}

type Labels = Readonly<Record<string, string>>;

const isLabeled = ({ metadata }: ApiObject, labels: Labels): boolean =>
  Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);

const withLabels = <T extends ApiObject>(object: T, labels: Labels): T => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
});

/** Creates an object of the server's Service. An object of a kind that this server does not serve is not needed. */
async function createObject<T extends ApiObject>(
  { host, client }: Pick<ControllerContext, 'host' | 'client'>,
  kind: ResourceDefinition<T>,
  object: Parameters<typeof client.create<T>>[1],
): Promise<void> {
  if (!servedAs(host, kind)) return;
  await client.create(kind, object, { namespace: NAMESPACE }).catch(unless(isAlreadyExists));
}

async function replaceObject<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  object: T,
): Promise<void> {
  await client.replace(kind, object).catch(unless(isNotFound));
}
