import { networkInterfaces } from 'node:os';
import type { NetworkOptions } from '../api-server-options.js';
import type { ServiceNetwork } from '../meta/services/service-network.js';
import { joinHostPort, splitHostPort } from '../outbound/host-port.js';
import { validateReachable } from '../resources/shared/ip-address.js';
import { familyOf, type IpRange, parseAddress, parseIp, parseRange, withoutWrapping } from '../values/ip-address.js';
import { quote } from '../values/quote.js';
import type { FlagValues } from './flags.js';
import { selectedDialect } from './selected-dialect.js';

const RANGE = '--service-cluster-ip-range';
const MOST_BITS = 20;
const LEAST_BITS = 3;
const MOST_PORT = 65_535;

/** Returns the service network that the flags describe. @throws Error for flags that {@link checkServiceNetwork} refuses. */
export function readServiceNetwork(values: FlagValues): ServiceNetwork {
  const nodePorts = portsOf(values['service-node-port-range']);
  if (typeof nodePorts === 'string') throw new Error(nodePorts);
  return { clusterIpRanges: rangesOf(values), nodePorts, ownNodePort: values['kubernetes-service-node-port'] };
}

const rangesOf = (values: FlagValues): string[] => values['service-cluster-ip-range'].split(',');

/** Returns the errors in the flags for the service network, in upstream's words. */
export function checkServiceNetwork(values: FlagValues): string[] {
  const ports = portsOf(values['service-node-port-range']);
  const ranges = rangesOf(values);
  return [
    ...checkRanges(ranges),
    ...checkFamily(ranges, values),
    ...(typeof ports === 'string' ? [ports] : checkOwnPort(values, ports)),
  ];
}

function checkOwnPort(values: FlagValues, { first, last }: ServiceNetwork['nodePorts']): string[] {
  const port = values['kubernetes-service-node-port'];
  const { apiService, apiTitle } = selectedDialect(values);
  if (port < 0 || port > MOST_PORT)
    return [
      `--kubernetes-service-node-port ${port} must be between 0 and ${MOST_PORT}, inclusive. If 0, the ${apiTitle} master service will be of type ClusterIP`,
    ];
  return port === 0 || (port >= first && port <= last)
    ? []
    : [`${apiService} service port range ${first}-${last} doesn't contain ${port}`];
}

/**
 * Checks that the advertised address has the IP family of the first service range. The server's own Service has a single address from that
 * range, and its endpoints must have the same family.
 */
function checkFamily([text = '']: readonly string[], values: FlagValues): string[] {
  const advertiseAddress = values['advertise-address'];
  if (advertiseAddress === undefined) return [];
  const [range, address] = [parseRange(text), parseIp(advertiseAddress)];
  if (address === undefined)
    return [
      `invalid argument ${quote(advertiseAddress)} for "--advertise-address" flag: failed to parse IP: ${quote(advertiseAddress)}`,
    ];
  return values['endpoint-reconciler-type'] === 'none' ||
    !range ||
    familyOf(range.first) === familyOf(withoutWrapping(address))
    ? []
    : [`service IP family ${quote(text)} must match public address family ${quote(advertiseAddress)}`];
}

function checkRanges(texts: readonly string[]): string[] {
  const ranges = texts.map(parseRange);
  const bad = ranges.indexOf(undefined);
  if (bad >= 0) return [`service-cluster-ip-range[${bad}] is not a valid cidr`];
  if (texts.length > 2) return [`${RANGE} must not contain more than two entries`];
  const [first, second] = ranges as IpRange[]; // `bad` is -1, so every range could be parsed and the cast is safe.
  const sameFamily = first && second && familyOf(first.first) === familyOf(second.first);
  return [
    ...(first ? checkSize(first, RANGE) : []),
    ...(sameFamily ? [`${RANGE}[0] and ${RANGE}[1] must be of different IP family`] : []),
    ...(second ? checkSize(second, `${RANGE}[1]`) : []),
  ];
}

function checkSize({ first, bits }: IpRange, flag: string): string[] {
  const all = first.length * 8;
  if (all - bits > MOST_BITS)
    return [`specified ${flag} is too large; for ${all}-bit addresses, the mask must be >= ${all - MOST_BITS}`];
  return all - bits < LEAST_BITS
    ? [`the service cluster IP range must be at least ${2 ** LEAST_BITS} IP addresses`]
    : [];
}

/** Parses `30000-32767` or `30000+2767`. Returns an error message for any other string. */
function portsOf(text: string): ServiceNetwork['nodePorts'] | string {
  const [, low = '', sign, more = ''] = /^(\d{1,9})(?:([-+])(\d{1,9}))?$/.exec(text.trim()) ?? [];
  const refuse = (why: string) => `invalid argument ${quote(text)} for "--service-node-port-range" flag: ${why}`;
  if (low === '') return refuse(`unable to parse port range: ${text}`);
  const first = Number(low);
  const last = sign === undefined ? first : sign === '+' ? first + Number(more) : Number(more);
  if (first > MOST_PORT || last > MOST_PORT)
    return refuse(`the port range cannot be greater than ${MOST_PORT}: ${text}`);
  return last < first ? refuse(`end port cannot be less than start port: ${text}`) : { first, last };
}

/**
 * Returns the option `externalAddress`: the address in the flags, with `--secure-port` if the address contains no port. Without an address
 * in the flags the option is absent, and clients receive the address at which they reached the server.
 */
export function externalAddress(values: FlagValues): Pick<NetworkOptions, 'externalAddress'> {
  const { 'external-hostname': host, 'advertise-address': advertised, 'secure-port': port } = values;
  if (!host && !advertised) return {};
  const externalHost = splitHostPort(host || advertised || '');
  return { externalAddress: joinHostPort(externalHost.host, externalHost.port || port || '') };
}

/**
 * Returns the address and port for the endpoints of the server's own Service. The address is the first of `--advertise-address`,
 * `--bind-address` and the addresses of this machine that has the IP family of the service range and that other machines can reach.
 */
export function advertiseOption(values: FlagValues): Pick<NetworkOptions, 'advertise'> {
  const { 'secure-port': port, 'bind-address': bound, 'endpoint-reconciler-type': reconciler } = values;
  if (reconciler === 'none') return {};
  const range = parseRange(rangesOf(values)[0] ?? '');
  const isOfFamily = (one: string) => {
    const address = parseAddress(one);
    return address && range && familyOf(address) === familyOf(range.first);
  };
  const configuredAddresses = [values['advertise-address'], bound].filter((address) => address !== undefined);
  const own = Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map(({ address }) => address));
  const address = [...configuredAddresses, ...own].find(
    (one) => isOfFamily(one) && validateReachable('', one).length === 0,
  );
  return port === 0 || address === undefined ? {} : { advertise: { address, port } };
}
