import { apiError } from '../../../meta/api-error.js';
import type { Fetch } from '../../../meta/fetch.js';
import { isGlobalUnicast } from '../../../outbound/ip-address.js';
import { parseAddress } from '../../../values/ip-address.js';
import type { Node } from '../core-v1.types.js';

/** Types of node addresses, with the preferred type first. */
const PREFERRED = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/** Returns the address of a node's kubelet. @throws ApiError 500 for a node without an address. */
export function addressOfNode({ status: { addresses = [] } }: Node): string {
  const nodeAddress = PREFERRED.flatMap(
    (preferredType) => addresses.find(({ type }) => type === preferredType) ?? [],
  ).at(0);
  if (nodeAddress !== undefined) return nodeAddress.address;
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw apiError.unknown(`no preferred addresses found; known addresses: [${known}]`);
}

/**
 * Refuses an address that is not global unicast, for example a loopback address. A host name is accepted only if `fetch` checks the
 * addresses to which the name resolves (`checksAddresses`). Resolving the name here would not help, because the later connection may
 * resolve it differently.
 * @throws ApiError 400 for a refused address; 503 for a host name if `fetch` does not check addresses.
 */
export function requireProxyable(address: string, { checksAddresses = false }: Pick<Fetch, 'checksAddresses'>): void {
  const bytes = parseAddress(address);
  if (bytes === undefined && checksAddresses) return;
  if (bytes === undefined)
    throw apiError.serviceUnavailable('error trying to reach service: nodes are reached by addresses, not by names');
  if (!isGlobalUnicast(bytes)) throw apiError.badRequest('address not allowed');
}
