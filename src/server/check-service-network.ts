import { DEFAULT_SERVICE_NETWORK, type ServiceNetwork } from '../meta/services/service-network.js';
import { splitHostPort } from '../outbound/host-port.js';
import { hostToDial } from '../outbound/ip-address.js';
import { validateReachable } from '../resources/shared/ip-address.js';
import { familyOf, parseRange } from '../values/ip-address.js';

/** Returns the error of the option `serviceNetwork` (`must be …`), or undefined if it is valid. */
export function checkServiceNetwork(value: unknown): string | undefined {
  const { clusterIpRanges, nodePorts, ownNodePort = 0, ...others } = Object(value) as Partial<ServiceNetwork>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has no member ${unknown}`;
  return (
    (clusterIpRanges === undefined ? undefined : checkRanges(clusterIpRanges)) ??
    (nodePorts === undefined ? undefined : checkPorts(nodePorts)) ??
    (ownNodePort === 0 ? undefined : checkOwnPort(ownNodePort, nodePorts))
  );
}

/** The minimum and the maximum number of host bits in a service IP range. */
const [LEAST_BITS, MOST_BITS] = [3, 20];

function checkRanges(texts: unknown): string | undefined {
  const requirement =
    'clusterIpRanges must be one range of 8 to 1,048,576 addresses, as 10.0.0.0/24, or one of each family';
  if (!Array.isArray(texts) || texts.length < 1 || texts.length > 2) return requirement;
  const families = texts.map((text: unknown) => {
    const range = typeof text === 'string' ? parseRange(text) : undefined;
    const bits = range ? range.first.length * 8 - range.bits : 0;
    return range && bits >= LEAST_BITS && bits <= MOST_BITS ? familyOf(range.first) : undefined;
  });
  return families.includes(undefined) || new Set(families).size < texts.length ? requirement : undefined;
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;

function checkPorts(value: unknown): string | undefined {
  const { first, last } = Object(value) as Partial<ServiceNetwork['nodePorts']>;
  return isPort(first) && isPort(last) && first <= last
    ? undefined
    : 'nodePorts must have a first and a last port from 1 to 65535';
}

function checkOwnPort(port: unknown, { first, last } = DEFAULT_SERVICE_NETWORK.nodePorts): string | undefined {
  return isPort(port) && port >= first && port <= last ? undefined : 'ownNodePort must be 0 or one of nodePorts';
}

/** Returns the error of an advertised address, or undefined if it is valid. */
export function checkAdvertised(value: unknown): string | undefined {
  const { address, port } = Object(value) as { readonly address?: unknown; readonly port?: unknown };
  if (typeof address !== 'string' || validateReachable('', address).length > 0)
    return 'address must be an IP address that others can reach';
  return isPort(port) ? undefined : 'port must be a number from 1 to 65535';
}

function isDialable(host: string): boolean {
  try {
    return hostToDial(host) !== '';
  } catch {
    return false;
  }
}

/** Returns the error of an external address, or undefined if it is valid. */
export function checkExternalAddress(value: unknown): string | undefined {
  const { host, port } = splitHostPort(typeof value === 'string' ? value : '');
  const isHost = (/^[\w.-]+$/.test(host) || host.includes(':')) && isDialable(host);
  return isHost && (port === '' || isPort(Number(port)))
    ? undefined
    : "must be a host, or a host and its port, 'api.example.com:443'";
}
