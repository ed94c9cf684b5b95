import { sourceAddresses } from '../../audit/source-addresses.js';
import { joinHostPort, splitHostPort } from '../../outbound/host-port.js';
import { firstAddress } from '../../resources/core/service/pools.js';
import { isInRange, parseAddress, parseRange } from '../../values/ip-address.js';
import { cachedByText } from '../../values/memoize.js';
import type { Exchange } from '../exchange.js';

/** The port of the server's own Service. */
const SERVICE_PORT = 443;

/**
 * Returns whether a range contains an address, both separated by a space. Most requests come from an address seen before, so the result is
 * cached.
 */
const isWithin = cachedByText((rangeAndAddress) => {
  const [range = '', text = ''] = rangeAndAddress.split(' ', 2);
  const [within, address] = [parseRange(range), parseAddress(text)];
  return within !== undefined && address !== undefined && isInRange(address, within);
});

/**
 * Returns the `host:port` at which clients reach this server: the external address, or else the address to which the caller is connected.
 * An external address without a port gets the port to which the caller is connected.
 */
export function serverAddress({ request, environment: { externalAddress } }: Exchange): string {
  const reached = request.host ?? '';
  if (externalAddress === undefined) return reached;
  const { host, port } = splitHostPort(externalAddress);
  return joinHostPort(host, port || splitHostPort(reached).port);
}

/**
 * Returns the `serverAddressByClientCIDRs` of this server. If the caller is within the service network, they contain the address of the
 * server's own Service.
 */
export function addressesByClient(exchange: Exchange): readonly object[] {
  const { request, environment } = exchange;
  const everywhere = { clientCIDR: '0.0.0.0/0', serverAddress: serverAddress(exchange) };
  const [range = ''] = environment.host.serviceNetwork.clusterIpRanges;
  const [client = ''] = sourceAddresses(request.headers, request.remoteAddress);
  if (!isWithin(`${range} ${client}`)) return [everywhere];
  return [everywhere, { clientCIDR: range, serverAddress: joinHostPort(firstAddress(range), SERVICE_PORT) }];
}
