import { apiError } from '../../../meta/api-error.js';
import { parseAddress } from '../../../outbound/ip-address.js';
import { isGlobalUnicast } from '../../fragments/ip-address.js';
import type { Node } from './node-schema.js';

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
 * Refuses an address that only its own host has.
 * @throws ApiError 400; 503 for a name: what it is the name of could change between a look at it and the request.
 */
export function requireProxyable(address: string): void {
  const bytes = parseAddress(address);
  if (bytes === undefined)
    throw apiError.serviceUnavailable('error trying to reach service: nodes are reached by addresses, not by names');
  if (!isGlobalUnicast(bytes)) throw apiError.badRequest('address not allowed');
}
