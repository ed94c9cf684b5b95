import { apiError } from '../../../meta/api-error.js';
import { isGlobalUnicast, parseAddress } from '../../fragments/ip-address.js';
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

/** Refuses an address that only its own host has. A name is looked up when it is asked, and nothing asks. @throws ApiError 400 */
export function requireProxyable(address: string): void {
  const bytes = parseAddress(address);
  if (bytes !== undefined && !isGlobalUnicast(bytes)) throw apiError.badRequest('address not allowed');
}
