import { apiError } from '../../../meta/api-error.js';
import { fieldError } from '../../../meta/field-error.js';
import type { Host } from '../../../meta/host.js';
import type { Allocation, Claim, Draft } from '../../../registry/strategy.js';
import type { IpFamily } from '../../shared/ip-address.js';
import type { Service, ServiceSpec } from '../core-v1.types.js';
import { isHeadless } from './service-address-validation.js';
import { alignAddresses, keepAllocatedValues } from './service-allocated-values.js';
import { claimOf, dryRunClaim, type ServiceClaim, ServiceStock } from './service-claims.js';
import { fillFamilies, staysPreferred } from './service-families.js';
import { changeNodePorts, giveNodePorts } from './service-node-ports.js';

/** Returns the allocation of cluster addresses and node ports for services. */
export function serviceAllocation(host: Host): Allocation<Service> {
  const stock = new ServiceStock(host);
  return {
    create: (draft, { dryRun }) =>
      claimed(stock, dryRun, (claim) => {
        alignAddresses(draft, undefined);
        fillFamilies(draft, undefined, stock);
        giveAddresses(draft, 0, claim);
        giveNodePorts(draft, claim);
      }),
    update: (draft, old, { dryRun }) =>
      claimed(stock, dryRun, (claim) => {
        keepAllocatedValues(draft, old);
        alignAddresses(draft, old);
        fillFamilies(draft, old, stock);
        changeAddresses(draft, old, claim);
        changeNodePorts(draft, old, claim);
      }),
  };
}

/** Runs an allocation. If it fails, everything it has taken is released. */
function claimed(stock: ServiceStock, dryRun: boolean, take: (claim: ServiceClaim) => void): Claim {
  const claim = dryRun ? dryRunClaim(stock) : claimOf(stock);
  try {
    take(claim);
    return claim;
  } catch (error) {
    claim.end();
    throw error;
  }
}

/**
 * Allocates addresses for an update: all of them if the service was an ExternalName, or the second one for an added family. Unused ones are
 * released with the old state.
 */
function changeAddresses(draft: Draft<Service>, old: Service, claim: ServiceClaim): void {
  if (staysPreferred(draft, old)) return;
  if (old.spec.type === 'ExternalName') giveAddresses(draft, 0, claim);
  else if (!isHeadless(old.spec) && old.spec.ipFamilies?.length === 1 && draft.spec.ipFamilies?.length === 2)
    giveAddresses(draft, 1, claim);
}

/**
 * Allocates addresses for the families beginning with index `from`: the named ones, or any for the others. A second address is taken even
 * when the first one is removed, because validation refuses that later, as in the reference.
 * @throws ApiError 422, 500
 */
function giveAddresses(draft: Draft<Service>, from: number, claim: ServiceClaim): void {
  const { spec, metadata } = draft;
  if (spec.type === 'ExternalName' || (from === 0 && isHeadless(spec as ServiceSpec))) return;
  const addresses = [...(spec.clusterIPs ?? [])];
  (spec.ipFamilies ?? []).forEach((family, i) => {
    const pool = claim.stock.addresses.get(family as IpFamily);
    if (pool === undefined || i < from) return;
    const requestedAddress = addresses[i] ?? '';
    if (requestedAddress === '') {
      const address = claim.takeAddress(pool);
      if (address === undefined) throw apiError.internal('failed to allocate a serviceIP: range is full');
      addresses[i] = address;
      return;
    }
    const problem = claim.take(pool, requestedAddress);
    if (problem === undefined) return;
    const error = fieldError.invalid(
      'spec.clusterIPs',
      addresses,
      `failed to allocate IP ${requestedAddress}: ${problem}`,
    );
    throw apiError.invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [error]);
  });
  spec.clusterIPs = addresses;
  if (addresses[0] !== undefined) spec.clusterIP = addresses[0];
}
