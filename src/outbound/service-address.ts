import type { ApiObject } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import { quote } from '../values/quote.js';
import { joinHostPort } from './host-port.js';
import { hostToDial } from './ip-address.js';

/** What is read of a Service. */
export interface ServiceObject extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  };
}

/** Where a service is reached: `host:port`. @throws Error where that is nowhere. */
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

/** What is read of Endpoints. */
export interface EndpointsObject extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

/** One of the endpoints that serve a port, by chance: `host:port`. Undefined where there are none. */
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
