import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import type { ServiceRoute } from '../meta/services/service-routes.js';
import { quote } from '../values/quote.js';
import { joinHostPort } from './host-port.js';
import { hostToDial } from './ip-address.js';

/** The fields of a Service that are read. */
interface ServiceObject extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  };
}

/** Returns the address of a service, `host:port`. @throws Error when it has none. */
export function addressOfService(service: ServiceObject | undefined, name: string, port: number): string {
  if (!service) throw new Error(`service ${quote(name)} not found`);
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = service.spec ?? {};
  if (type === 'ExternalName') return joinHostPort(hostToDial(externalName), port);
  if (clusterIP === '' || clusterIP === 'None')
    throw new Error(`cannot route to service with ClusterIP ${quote(clusterIP)}`);
  if (!ports.some((each) => each.port === port))
    throw new Error(`no service port ${port} found for service ${quote(name)}`);
  return joinHostPort(hostToDial(clusterIP), port);
}

/** The fields of Endpoints that are read. */
interface EndpointsObject extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

/** Returns a random endpoint for a port name, as `host:port`; undefined when there is none. */
export function endpointOfService(
  endpoints: EndpointsObject | undefined,
  portName: string,
  random: Random,
): string | undefined {
  const found = (endpoints?.subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port }) => addresses.map(({ ip }) => joinHostPort(hostToDial(ip), port))),
  );
  if (found.length < 2) return found[0];
  const [chance = 0] = new Uint32Array(random.fill(new Uint8Array(4)).buffer);
  return found[chance % found.length];
}

/** Returns the error message for a service that has no target, on a server that has no cluster network. */
export const noNetwork = (namespace: string, name: string): string =>
  `this server dials no addresses of services: set what answers with server.services.set('${namespace}/${name}', handler) or ` +
  `--services=${namespace}/${name}=URL, or start it with services: 'network' (--services=network)`;

/**
 * Returns the route for requests to a service: the target that the embedder set, or else the service's own address. If `toEndpoints` is
 * set, the address of one of the service's endpoints replaces the service's own address.
 * @throws Error when the service has no address, and when there is neither a target nor a cluster network.
 */
export function routeToService(
  { services, lister, random }: Pick<Host, 'services' | 'lister' | 'random'>,
  { namespace, name, port }: { readonly namespace: string; readonly name: string; readonly port: number },
  toEndpoints = false,
): ServiceRoute & { readonly isExternalName?: boolean } {
  const target = services.find(namespace, name, port);
  if (target) return target;
  const service = lister<ServiceObject>('', 'services').get(namespace, name);
  let address = addressOfService(service, name, port);
  const isExternalName = service?.spec?.type === 'ExternalName';
  if (toEndpoints && !isExternalName) {
    const portName = service?.spec?.ports?.find((each) => each.port === port)?.name ?? '';
    const endpoints = lister<EndpointsObject>('', 'endpoints').get(namespace, name);
    const found = endpointOfService(endpoints, portName, random);
    if (found === undefined) throw new Error(`no endpoints available for service ${quote(name)}`);
    address = found;
  }
  if (!services.network) throw new Error(noNetwork(namespace, name));
  return { origin: `https://${address}`, isExternalName };
}
