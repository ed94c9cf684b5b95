import { apiError } from '../../../meta/api-error.js';
import { type FieldError, fieldError } from '../../../meta/field-error.js';
import type { ServiceNetwork } from '../../../meta/services/service-network.js';
import { parseAddress } from '../../../outbound/ip-address.js';
import type { Draft } from '../../../registry/strategy.js';
import { familyOf, type IpFamily, parseRange } from '../../shared/ip-address.js';
import type { Service, ServiceSpec } from '../core-v1.types.js';
import { isHeadless, validateServiceAddresses } from './service-address-validation.js';
import { sameAddresses, sameFamilies } from './service-allocated-values.js';
import type { ServiceStock } from './service-claims.js';
import { needsAddress } from './service-requirements.js';

const SINGLE = 'SingleStack';
const POLICY = 'spec.ipFamilyPolicy';
const TWO_NEED = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";

/** Whether a service with PreferDualStack stays unchanged, even if the server's families have changed since. */
export function staysPreferred({ spec: next }: Service | Draft<Service>, { spec: old }: Service): boolean {
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
 * Fills in the families and the family policy of a service, from its own fields, its addresses, or the server's families.
 * @throws ApiError 422 for fields that contradict each other, or families that the server does not have.
 */
export function fillFamilies(draft: Draft<Service>, old: Service | undefined, stock: ServiceStock): void {
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
 * Fills in the families of a stored service from before there were families. They follow from its addresses; a headless service without a
 * selector gets both.
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

/** Removes the second address and family of a SingleStack service. Under other policies, removing them is refused. */
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

/** Adds the families of the service's addresses where they are absent. */
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
