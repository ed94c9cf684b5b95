import { apiError } from '../../../meta/api-error.js';
import type { Fetch } from '../../../meta/fetch.js';
import { isGlobalUnicast, parseAddress } from '../../../outbound/ip-address.js';
import type { Node } from '../core-v1.types.js';

/** Kinds of addresses, those that are tried first before the others. */
const PREFERRED = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/** Where the agent of a node would be asked. @throws ApiError 500 for a node without an address. */
export function addressOfNode({ status: { addresses = [] } }: Node): string {
  const found = PREFERRED.flatMap((wanted) => addresses.find(({ type }) => type === wanted) ?? []).at(0);
  if (found !== undefined) return found.address;
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw apiError.unknown(`no preferred addresses found; known addresses: [${known}]`);
}

/**
 * Refuses an address that only its own host has. A name is accepted where the addresses that it resolves to are checked when the
 * connection is made: a look at them before could find others than the connection does.
 * @throws ApiError 400; 503 for a name where nothing checks its addresses.
 */
export function requireProxyable(address: string, { checksAddresses = false }: Pick<Fetch, 'checksAddresses'>): void {
  const bytes = parseAddress(address);
  if (bytes === undefined && checksAddresses) return;
  if (bytes === undefined)
    throw apiError.serviceUnavailable('error trying to reach service: nodes are reached by addresses, not by names');
  if (!isGlobalUnicast(bytes)) throw apiError.badRequest('address not allowed');
}
