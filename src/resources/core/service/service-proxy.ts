import { apiError } from '../../../meta/api-error.js';
import { isGlobalUnicast } from '../../../outbound/ip-address.js';
import { endpointOfService, noNetwork } from '../../../outbound/service-address.js';
import type { RequestContext } from '../../../registry/request-context.js';
import type { RelayAnswer, RelayCall, RelaySubresource } from '../../../registry/resource-definition.js';
import { parseAddress } from '../../../values/ip-address.js';
import { originAt, PROXY, type RelayTarget, readTarget } from '../../shared/relay-target.js';
import type { EndpointAddress, Endpoints, Pod, Service } from '../core-v1.types.js';

/**
 * Finds the backend of a request to a service. Like upstream, it chooses a random endpoint address that belongs to the pod in its
 * `targetRef`.
 */
async function serviceDestination(
  { namespace, name: id, parent }: RelayCall<Service>,
  { host }: RequestContext,
): Promise<RelayAnswer> {
  const target = readTarget(id);
  if (target === undefined) throw apiError.badRequest(`invalid service request "${id}"`);
  const { name, scheme } = target;
  const number = portNumber(namespace, target, host);
  const route = host.services.find(namespace, name, number);
  if (route && 'origin' in route) return { origin: route.origin, isTarget: true };
  if (route)
    return { origin: originAt(scheme, `${name}.${namespace}.svc`, String(number ?? '')), handler: route.handler };
  const port = await portName(target, parent);
  const endpoints = host.lister<Endpoints>('', 'endpoints').get(namespace, name);
  if (endpoints === undefined) throw apiError.notFound({ group: '', resource: 'services' }, name);
  const { subsets = [] } = endpoints;
  const nothing = (shown: string) => apiError.serviceUnavailable(`no endpoints available for service "${shown}"`);
  if (subsets.length === 0) throw nothing(name);
  const serving = subsets.map(({ addresses = [], ports = [] }) => ({
    ports: ports.filter(({ name: own = '' }) => own === port),
    addresses: addresses.filter((address) => isPodOf(namespace, address, host)),
  }));
  const endpoint = endpointOfService({ ...endpoints, subsets: serving }, port, host.random);
  if (endpoint === undefined) throw nothing(id);
  if (!host.services.network)
    throw apiError.serviceUnavailable(`error trying to reach service: ${noNetwork(namespace, name)}`);
  return { origin: `${scheme}://${endpoint}` };
}

/** Returns the number of a port: the number in the request, or that of the Service's port with the requested name. */
function portNumber(
  namespace: string,
  { name, port }: RelayTarget,
  { lister }: RequestContext['host'],
): number | undefined {
  if (/^\d{1,5}$/.test(port)) return Number(port);
  const service = lister<Service>('', 'services').get(namespace, name);
  return service?.spec.ports?.find((each) => (each.name ?? '') === port)?.port;
}

/**
 * Whether an endpoint address belongs to the pod in its `targetRef`, and this pod is in the given namespace. Requests are not sent to any
 * other address, because users can write Endpoints.
 */
function isPodOf(namespace: string, { ip, targetRef }: EndpointAddress, host: RequestContext['host']): boolean {
  const bytes = parseAddress(ip);
  if (targetRef?.namespace !== namespace || bytes === undefined || !isGlobalUnicast(bytes)) return false;
  const pod = host.lister<Pod>('', 'pods').get(namespace, targetRef.name ?? '');
  return pod?.status.podIPs?.some((each) => each.ip === ip) ?? false;
}

/**
 * Returns the name of a port of the service. The name may be '' if the service has only one port.
 * @throws ApiError 404; 503 for a number that the service does not have.
 */
async function portName({ name, port }: RelayTarget, parent: RelayCall<Service>['parent']): Promise<string> {
  if (!/^[+-]?\d{1,18}$/.test(port)) return port;
  const number = Number(port);
  const { spec } = await parent(name);
  const servicePort = spec.ports?.find((each) => each.port === number);
  if (servicePort === undefined)
    throw apiError.serviceUnavailable(`no service port ${number} found for service "${name}"`);
  return servicePort.name ?? '';
}

/** `/proxy`: requests to the endpoints of the service. */
export const serviceProxy: RelaySubresource<Service> = {
  relay: {
    kind: 'ServiceProxyOptions',
    ...PROXY,
    answer: serviceDestination,
  },
};
