import { errorsOf, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { printGoSyntax } from '../../../schema/print-go-syntax.js';
import { familyOf, parseAddress } from '../../../values/ip-address.js';
import { validateAddress } from '../../shared/ip-address.js';
import { coreV1 } from '../core-v1.js';
import type { Service, ServiceSpec } from '../core-v1.types.js';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Whether a service is headless, which means that it needs no cluster IP. */
export const isHeadless = ({ clusterIPs = [] }: ServiceSpec): boolean =>
  clusterIPs.length === 1 && clusterIPs[0] === 'None';

/** Returns the validation errors of addresses and families that do not depend on the cluster's ranges. */
export function validateServiceAddresses(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const { clusterIPs: addresses = [] } = spec;
  const ofItems = validateEach(addresses);
  const errors = [...validateFirst(spec), ...validateFamilies(spec), ...ofItems];
  const refuse = (why: string) => errors.push(fieldError.invalid('spec.clusterIPs', addresses, why));
  if (addresses.length > 2) refuse('may only hold up to 2 values');
  if (ofItems.length > 0) return errors;
  const families = addresses.map((text) => familyOf(parseAddress(text) ?? new Uint8Array()));
  if (addresses.length > 1 && new Set(families).size < 2) refuse('may specify no more than one IP for each IP family');
  if (isHeadless(spec)) return errors;
  const misfits = addresses.flatMap((address, i) => {
    const expectedFamily = spec.ipFamilies?.[i];
    if (expectedFamily === undefined || expectedFamily === families[i] || !FAMILIES.includes(expectedFamily)) return [];
    const why = `expected an ${expectedFamily} value as indicated by \`ipFamilies[${i}]\``;
    return [fieldError.invalid(`spec.clusterIPs[${i}]`, address, why)];
  });
  return [...errors, ...misfits];
}

/** Checks that clusterIP equals the first of clusterIPs. */
function validateFirst({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  const refuse = (why: string) => [fieldError.invalid('spec.clusterIPs', clusterIPs, why)];
  if (clusterIP === '') return clusterIPs.length > 0 ? refuse('must be empty when `clusterIP` is not specified') : [];
  if (clusterIPs.length === 0) return [fieldError.required('spec.clusterIPs')];
  return clusterIPs[0] === clusterIP ? [] : refuse('first value must match `clusterIP`');
}

function validateFamilies({ ipFamilies = [], ipFamilyPolicy: policy }: ServiceSpec): FieldError[] {
  const seen = new Set<string>();
  const errors = errorsOf(ipFamilies, (family, i) => {
    const path = `spec.ipFamilies[${i}]`;
    const known = FAMILIES.includes(family) ? [] : [fieldError.notSupported(path, family, FAMILIES)];
    const twice = seen.has(family) ? [fieldError.duplicate(path, family)] : [];
    seen.add(family);
    return [...known, ...twice];
  });
  if (policy !== undefined && !POLICIES.includes(policy))
    errors.push(fieldError.notSupported('spec.ipFamilyPolicy', policy, POLICIES));
  return errors;
}

function validateEach(addresses: readonly string[]): FieldError[] {
  return errorsOf(addresses, (address, i) => {
    if (i > 0 || address !== 'None') return validateAddress(`spec.clusterIPs[${i}]`, address);
    if (addresses.length === 1) return [];
    return [fieldError.invalid('spec.clusterIPs', addresses, "'None' must be the first and only value")];
  });
}

/**
 * Returns the validation errors of a change of addresses and families. The first address and the first family are immutable. A second
 * address or family may be added, and may be removed with the policy SingleStack.
 */
export function validateAddressUpdate({ spec: next }: Service, { spec: old }: Service): FieldError[] {
  // A change from or to ExternalName may change all addresses, because an ExternalName service has none.
  if (next.type === 'ExternalName' || old.type === 'ExternalName') return [];
  return [...validateAddressChange(next, old), ...validateFamilyChange(next, old)];
}

const CHANGED = 'may not change once set';

/** Checks that a second address or family is removed only with the policy SingleStack. */
function validateRelease({ ipFamilyPolicy: policy }: ServiceSpec, left: number, what: string): FieldError[] {
  if (left !== 1 || policy === 'SingleStack') return [];
  const why = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [fieldError.invalid('spec.ipFamilyPolicy', policy, why)];
}

function validateAddressChange(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  const [now = [], before = []] = [next.clusterIPs, old.clusterIPs];
  const refuse = (i: number, why: string) => fieldError.invalid(`spec.clusterIPs[${i}]`, now, why);
  if (isHeadless(old) && isHeadless(next)) return [];
  if (now.length === before.length) return now.flatMap((each, i) => (each === before[i] ? [] : [refuse(i, CHANGED)]));
  const first = now.length > 0 && before.length > 0 && now[0] !== before[0] ? [refuse(0, CHANGED)] : [];
  if (now.length > before.length) return first;
  const none = now.length === 0 ? [refuse(0, 'primary clusterIP can not be unset')] : [];
  return [...none, ...first, ...validateRelease(next, now.length, 'clusterIP')];
}

function validateFamilyChange(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  const [now = [], before = []] = [next.ipFamilies, old.ipFamilies];
  // The families of a headless service may change, because it has no address that they must match.
  if (isHeadless(old) || isHeadless(next)) return [];
  // As in upstream, every error about families has the path of the first family. If the number of families changes, too, an error about the
  // first family contains the addresses as its value.
  const refuse = (value: unknown, why: string) => fieldError.invalid('spec.ipFamilies[0]', value, why);
  const families = () => printed(printGoSyntax(coreV1.type('[]IPFamily atomic'), now, 'core'));
  if (now.length === before.length)
    return now.flatMap((each, i) => (each === before[i] ? [] : [refuse(families(), CHANGED)]));
  const { clusterIPs = [] } = next;
  const first = now.length > 0 && before.length > 0 && now[0] !== before[0] ? [refuse(clusterIPs, CHANGED)] : [];
  if (now.length > before.length) return first;
  const none = clusterIPs.length === 0 ? [refuse(families(), 'primary ipFamily can not be unset')] : [];
  return [...none, ...first, ...validateRelease(next, now.length, 'ipFamily')];
}
