import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import type { ServiceRoute } from '../meta/services/service-routes.js';
import { quote } from '../values/quote.js';
import { joinHostPort } from './host-port.js';
import { hostToDial } from './ip-address.js';

interface ServicePort {
  readonly name?: string;
  readonly port: number;
}

/** The fields of a Service that are read. */
interface ServiceObject extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly ServicePort[];
  };
}

/** Returns the address of a service, `host:port`. @throws Error when it has none. */
export function addressOfService({ spec = {} }: ServiceObject, name: string, port: number): string {
  const { type = 'ClusterIP', clusterIP = '', externalName = '' } = spec;
  if (type === 'ExternalName') return joinHostPort(hostToDial(externalName), port);
  if (clusterIP === '' || clusterIP === 'None')
    throw new Error(`cannot route to service with ClusterIP ${quote(clusterIP)}`);
  portOf(spec.ports, name, port);
  return joinHostPort(hostToDial(clusterIP), port);
}

/** Returns the entry of a Service for a port number. @throws Error when there is none. */
function portOf(ports: readonly ServicePort[] = [], name: string, port: number): ServicePort {
  const servicePort = ports.find((each) => each.port === port);
  if (servicePort) return servicePort;
  throw new Error(`no service port ${port} found for service ${quote(name)}`);
}

/** The fields of Endpoints that are read. */
interface EndpointsObject extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly ServicePort[];
  }[];
}

/** Returns a random endpoint for a port name, as `host:port`; undefined when there is none. */
export function endpointOfService(
  endpoints: EndpointsObject | undefined,
  portName: string,
  random: Random,
): string | undefined {
  const candidates = (endpoints?.subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port }) => addresses.map(({ ip }) => joinHostPort(hostToDial(ip), port))),
  );
  if (candidates.length < 2) return candidates[0];
  const [chance = 0] = new Uint32Array(random.fill(new Uint8Array(4)).buffer);
  return candidates[chance % candidates.length];
}

/** Returns the error message for a service that has no target, on a server that has no cluster network. */
export const noNetwork = (namespace: string, name: string): string =>
  `this server dials no addresses of services: set what answers with server.services.set('${namespace}/${name}', handler) or ` +
  `--services=${namespace}/${name}=URL, or start it with services: 'network' (--services=network)`;

/** The namespace and the port of the server's own Service, whose name is the dialect's `apiService`. */
export const OWN_SERVICE = { namespace: 'default', port: 443 };

/**
 * Returns the route for requests to a service: the target that the embedder set, this server itself for its own Service, or the address of
 * the service or of one of its endpoints.
 * @throws Error when the service has no address, and when there is neither a target nor a cluster network.
 */
export function routeToService(
  { services, lister, random, dialect }: Pick<Host, 'services' | 'lister' | 'random' | 'dialect'>,
  { namespace, name, port }: { readonly namespace: string; readonly name: string; readonly port: number },
): ServiceRoute & { readonly isExternalName?: boolean } {
  const target = services.find(namespace, name, port);
  if (target) return target;
  const isOwn = name === dialect.apiService && namespace === OWN_SERVICE.namespace && port === OWN_SERVICE.port;
  if (isOwn && services.own) return { handler: services.own };
  const service = lister<ServiceObject>('', 'services').get(namespace, name);
  if (!service) throw new Error(`service ${quote(name)} not found`);
  const isExternalName = service.spec?.type === 'ExternalName';
  let address: string;
  if (services.toEndpoints) {
    const { name: portName = '' } = portOf(service.spec?.ports, name, port);
    // An external name has no endpoints that the server could choose from.
    if (isExternalName) throw new Error('unsupported service type "ExternalName"');
    const endpoints = lister<EndpointsObject>('', 'endpoints').get(namespace, name);
    if (!endpoints) throw new Error(`endpoints ${quote(name)} not found`);
    const endpoint = endpointOfService(endpoints, portName, random);
    if (endpoint === undefined) throw new Error(`no endpoints available for service ${quote(name)}`);
    address = endpoint;
  } else address = addressOfService(service, name, port);
  if (!services.network) throw new Error(noNetwork(namespace, name));
  return { origin: `https://${address}`, isExternalName };
}
