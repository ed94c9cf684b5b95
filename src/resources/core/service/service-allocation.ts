import { apiError } from '../../../meta/api-error.js';
import { type FieldError, fieldError } from '../../../meta/field-error.js';
import type { Host } from '../../../meta/host.js';
import type { ServiceNetwork } from '../../../meta/services/service-network.js';
import type { Allocation, Claim, Draft } from '../../../registry/strategy.js';
import { familyOf, type IpFamily, parseAddress, parseRange } from '../../../values/ip-address.js';
import type { Service, ServiceSpec } from '../core-v1.types.js';
import { isHeadless, validateServiceAddresses } from './service-address-validation.js';
import {
  alignAddresses,
  keepAllocatedValues,
  mayHaveNodePorts,
  needsAddress,
  needsHealthPort,
  needsNodePorts,
  sameAddresses,
  sameFamilies,
} from './service-allocated-values.js';
import { claimOf, dryRunClaim, type ServiceClaim, ServiceStock } from './service-claims.js';

/** Returns the {@link Allocation} that gives services their cluster addresses and node ports. */
export function serviceAllocation(host: Host): Allocation<Service> {
  const stock = new ServiceStock(host);
  return {
    create: (draft, { dryRun }) =>
      claimOrRelease(stock, dryRun, (claim) => {
        alignAddresses(draft, undefined);
        fillFamilies(draft, undefined, stock);
        giveAddresses(draft, 0, claim);
        giveNodePorts(draft, claim);
      }),
    update: (draft, old, { dryRun }) =>
      claimOrRelease(stock, dryRun, (claim) => {
        keepAllocatedValues(draft, old);
        alignAddresses(draft, old);
        fillFamilies(draft, old, stock);
        changeAddresses(draft, old, claim);
        changeNodePorts(draft, old, claim);
      }),
  };
}

/** Runs an allocation. If it fails, all values that it has allocated are released. */
function claimOrRelease(stock: ServiceStock, dryRun: boolean, take: (claim: ServiceClaim) => void): Claim {
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
 * Allocates addresses for an update: all of them if the service was an ExternalName, or the second one for an added family. Addresses that
 * are no longer used are released when the update is committed.
 */
function changeAddresses(draft: Draft<Service>, old: Service, claim: ServiceClaim): void {
  if (staysPreferred(draft, old)) return;
  if (old.spec.type === 'ExternalName') giveAddresses(draft, 0, claim);
  else if (!isHeadless(old.spec) && old.spec.ipFamilies?.length === 1 && draft.spec.ipFamilies?.length === 2)
    giveAddresses(draft, 1, claim);
}

/**
 * Allocates addresses for the families from index `from` on: the addresses that the spec names, or any free ones. As in upstream, a second
 * address is allocated even if the update removes the first one; validation refuses such an update later.
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

const SINGLE = 'SingleStack';
const POLICY = 'spec.ipFamilyPolicy';
const TWO_NEED = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";

/**
 * Whether an update keeps the type, the addresses and the families of a PreferDualStack service. Its families are then not recomputed,
 * although the server's families may have changed since the service was stored.
 */
function staysPreferred({ spec: next }: Service | Draft<Service>, { spec: old }: Service): boolean {
  return (
    next.ipFamilyPolicy === 'PreferDualStack' &&
    (old.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    old.type === next.type &&
    needsAddress(next) &&
    sameAddresses(next, old) &&
    sameFamilies(next, old)
  );
}

/**
 * Fills in the families and the family policy of a service. They follow from its own fields, from its addresses, or from the server's
 * families.
 * @throws ApiError 422 for fields that contradict each other, or for families that the server does not have.
 */
function fillFamilies(draft: Draft<Service>, old: Service | undefined, stock: ServiceStock): void {
  const { spec } = draft;
  if (spec.type === 'ExternalName' || (old && staysPreferred(draft, old))) return;
  const refuse = (errors: readonly FieldError[]) => {
    if (errors.length > 0) throw apiError.invalid({ group: '', kind: 'Service' }, draft.metadata.name ?? '', errors);
  };
  const isFree = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : SINGLE);
  refuse(validateServiceAddresses(spec as ServiceSpec));
  refuse([
    ...(old ? narrow(spec, old.spec) : []),
    ...validatePolicy(spec as ServiceSpec),
    ...familiesOfAddresses(spec, stock),
  ]);
  if (!isFree) refuse(validateConfigured(spec as ServiceSpec, stock));
  const families = (spec.ipFamilies ??= []);
  if (families.length === 0) families.push(stock.defaultFamily);
  // A headless service without a selector is not proxied, so it may have a family that the server lacks.
  const hasBoth = isFree || stock.addresses.size === 2;
  if (spec.ipFamilyPolicy !== SINGLE && families.length === 1 && hasBoth) families.push(otherThan(families[0]));
}

/**
 * Fills in the families of a service that was stored before the field existed. They follow from its addresses. A headless service without a
 * selector gets both families.
 */
export function completeFamilies(spec: Draft<ServiceSpec>, { clusterIpRanges }: ServiceNetwork): void {
  const { ipFamilies = [], clusterIP, clusterIPs = [], selector = {} } = spec;
  if (spec.type === 'ExternalName' || ipFamilies.length > 0) return;
  const isFree = clusterIP === 'None' && Object.keys(selector).length === 0;
  const preferred = familyOf(parseRange(clusterIpRanges[0] ?? '')?.first ?? NO_ADDRESS);
  const ofAddresses = clusterIPs.map((text) => familyOf(parseAddress(text) ?? NO_ADDRESS));
  const families = isFree ? [preferred, otherThan(preferred)] : clusterIP === 'None' ? [preferred] : ofAddresses;
  spec.ipFamilies = families;
  if (families.length === 1) spec.ipFamilyPolicy = SINGLE;
  else if (families.length === 2) spec.ipFamilyPolicy = 'RequireDualStack';
}

const NO_ADDRESS = new Uint8Array(4);
const otherThan = (family: string | undefined): IpFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/**
 * Removes the second address and family of a service whose policy is SingleStack. Under other policies, an update that removes them is
 * refused.
 */
function narrow(spec: Draft<ServiceSpec>, old: ServiceSpec): FieldError[] {
  const { ipFamilyPolicy: policy, clusterIPs = [], ipFamilies = [] } = spec;
  const [before = [], familiesBefore = []] = [old.clusterIPs, old.ipFamilies];
  if (policy === SINGLE) {
    if (clusterIPs.length > 1 && sameList(clusterIPs, before)) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (ipFamilies.length > 1 && sameList(ipFamilies, familiesBefore)) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const refuse = (what: string) => fieldError.invalid(POLICY, policy, `must be 'SingleStack' to release the ${what}`);
  return [
    ...(clusterIPs.length > 0 && clusterIPs.length < before.length ? [refuse('secondary cluster IP')] : []),
    ...(ipFamilies.length > 0 && ipFamilies.length < familiesBefore.length ? [refuse('secondary IP family')] : []),
  ];
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

function validatePolicy({ ipFamilyPolicy: policy, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (policy !== SINGLE) return [];
  return [
    ...(clusterIPs.length === 2 ? [fieldError.invalid(POLICY, policy, `${TWO_NEED} cluster IPs are specified`)] : []),
    ...(ipFamilies.length === 2 ? [fieldError.invalid(POLICY, policy, `${TWO_NEED} IP families are specified`)] : []),
  ];
}

/** Fills in absent families from the service's addresses. Returns errors for addresses of families that the server does not have. */
function familiesOfAddresses(spec: Draft<ServiceSpec>, { addresses }: ServiceStock): FieldError[] {
  const { clusterIPs = [] } = spec;
  const errors: FieldError[] = [];
  if (isHeadless(spec as ServiceSpec)) return errors;
  const families = [...(spec.ipFamilies ?? [])];
  for (const [i, text] of clusterIPs.entries()) {
    const address = parseAddress(text);
    if (i < families.length || address === undefined) continue;
    const family = familyOf(address);
    if (addresses.has(family)) families.push(family);
    else
      errors.push(
        fieldError.invalid(`spec.clusterIPs[${i}]`, clusterIPs, `${family} is not configured on this cluster`),
      );
  }
  if (families.length > (spec.ipFamilies ?? []).length) spec.ipFamilies = families;
  return errors;
}

function validateConfigured(
  { ipFamilyPolicy: policy, ipFamilies = [] }: ServiceSpec,
  { addresses }: ServiceStock,
): FieldError[] {
  const why = 'this cluster is not configured for dual-stack services';
  return [
    ...(policy === 'RequireDualStack' && addresses.size < 2 ? [fieldError.invalid(POLICY, policy, why)] : []),
    ...ipFamilies.flatMap((family, i) =>
      addresses.has(family as IpFamily)
        ? []
        : [fieldError.invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster')],
    ),
  ];
}

const KIND = { group: '', kind: 'Service' };

/** Allocates the node ports of a new service. @throws ApiError 422, 500 when a port cannot be allocated. */
function giveNodePorts(draft: Draft<Service>, claim: ServiceClaim): void {
  if (mayHaveNodePorts(draft.spec)) givePorts(draft, claim);
  if (needsHealthPort(draft.spec)) giveHealthPort(draft, claim);
}

/** Allocates node ports. Ports with the same number and different protocols share one node port. */
function givePorts(draft: Draft<Service>, claim: ServiceClaim): void {
  const { spec } = draft;
  const ports = spec.ports ?? [];
  const requestedPorts = new Map<number, number>();
  for (const { port, nodePort = 0 } of ports)
    if (nodePort !== 0 && !requestedPorts.has(port)) requestedPorts.set(port, nodePort);
  const assigned = new Map<number, number>();
  ports.forEach((each, i) => {
    const own = each.nodePort ?? 0;
    if (own === 0 && !needsNodePorts(spec)) return;
    const shared = assigned.get(each.port);
    if (shared !== undefined) {
      if (own === 0) each.nodePort = shared;
      else if (own !== shared) takeRequested(draft, claim, i, own);
      return;
    }
    const requestedPort = requestedPorts.get(each.port);
    if (requestedPort === undefined) each.nodePort = allocatePort(claim);
    else {
      takeRequested(draft, claim, i, requestedPort);
      each.nodePort = requestedPort;
    }
    assigned.set(each.port, each.nodePort);
  });
}

/** Allocates the node ports of an updated service. Node ports that the service keeps are not allocated again. @throws ApiError 422, 500 */
function changeNodePorts(draft: Draft<Service>, old: Service, claim: ServiceClaim): void {
  if (mayHaveNodePorts(draft.spec)) changePorts(draft, old, claim);
  if (!needsHealthPort(old.spec) && needsHealthPort(draft.spec)) giveHealthPort(draft, claim);
}

function changePorts(draft: Draft<Service>, old: Service, claim: ServiceClaim): void {
  const { spec } = draft;
  const own = new Set((old.spec.ports ?? []).flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort])));
  const used = new Set<string>();
  (spec.ports ?? []).forEach((each, i) => {
    const requestedPort = each.nodePort ?? 0;
    if (requestedPort === 0) {
      if (!needsNodePorts(spec)) return;
      each.nodePort = allocatePort(claim);
    } else if (!own.has(requestedPort)) {
      takeRequested(draft, claim, i, requestedPort);
      own.add(requestedPort);
    }
    const key = `${each.protocol ?? ''} ${each.nodePort}`;
    if (used.has(key)) throw apiError.unknown(`duplicate nodePort: {${key}}`);
    used.add(key);
  });
}

function takeRequested({ metadata }: Draft<Service>, claim: ServiceClaim, i: number, port: number): void {
  const problem = claim.take(claim.stock.ports, port);
  if (problem === undefined) return;
  throw apiError.invalid(KIND, metadata.name ?? '', [fieldError.invalid(`spec.ports[${i}].nodePort`, port, problem)]);
}

function allocatePort(claim: ServiceClaim): number {
  const port = claim.takePort();
  if (port === undefined) throw apiError.internal('failed to allocate a nodePort: range is full');
  return port;
}

function giveHealthPort({ spec }: Draft<Service>, claim: ServiceClaim): void {
  const requestedPort = spec.healthCheckNodePort ?? 0;
  if (requestedPort === 0) {
    const port = claim.takePort();
    if (port === undefined) throw apiError.internal('failed to allocate a HealthCheck NodePort 0: range is full');
    spec.healthCheckNodePort = port;
    return;
  }
  const problem = claim.take(claim.stock.ports, requestedPort);
  if (problem !== undefined)
    throw apiError.internal(`failed to allocate requested HealthCheck NodePort ${requestedPort}: ${problem}`);
}
