import { addErrors, type FieldError, fieldError, isFull, printed } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { printQuantity } from '../../schema/print-go-syntax.js';
import {
  compareQuantities,
  formatQuantity,
  hasFraction,
  isQuantity,
  parseQuantity,
  type Quantity,
  roundQuantityUp,
  wholeQuantity,
} from '../../values/quantity.js';
import { quote } from '../../values/quote.js';

/** Quantities of resources such as cpu and memory, by name. */
export type ResourceAmounts = Readonly<Record<string, string>>;

/** The limits and requests of a container. */
interface Resources {
  readonly limits?: ResourceAmounts;
  readonly requests?: ResourceAmounts;
}

const NATIVE_DOMAIN = /(?:kubernetes|orch)\.io\//;

/**
 * Returns whether a resource is native: its name either has no domain, as in `cpu`, or a domain that ends in `kubernetes.io` or `orch.io`,
 * as in `alpha.kubernetes.io/example`.
 */
export const isNativeResource = (name: string): boolean => !name.includes('/') || NATIVE_DOMAIN.test(name);

/** Returns whether a resource is an extended one, such as `example.com/gpu`. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;

const OF_CONTAINERS: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const MEASURED: ReadonlySet<string> = new Set([
  ...OF_CONTAINERS,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

const HUGE_PAGES = 'hugepages-';
/** Whether the resource is huge pages, such as `hugepages-2Mi`. */
const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);
/** Whether the limits of a resource may exceed its requests (overcommitment). */
export const mayBeOvercommitted = (name: string): boolean => isNativeResource(name) && !isHugePages(name);
/** Whether quantities must be whole numbers. */
const isWhole = (name: string): boolean => COUNTED.has(name) || isExtendedResource(name);
const isStandard = (name: string): boolean =>
  COUNTED.has(name) || MEASURED.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');

/** Whether quotas support a resource whose name has no domain. */
export const isOfQuotas = (name: string): boolean => isStandard(name) && name !== 'storage';

/** Checks the name of a resource. It must be well formed, and must be a known name if it has no domain. */
export function validateResourceName(path: string, name: string): FieldError[] {
  const errors = qualifiedName(name).map((message) => fieldError.invalid(path, printed(name), message));
  if (errors.length > 0 || name.includes('/') || isStandard(name)) return errors;
  return [fieldError.invalid(path, printed(name), 'must be a standard resource type or fully qualified')];
}

/** Checks the name of a resource of a container. */
export function validateContainerResourceName(path: string, name: string): FieldError[] {
  const errors = validateResourceName(path, name);
  const refuse = (why: string) => errors.push(fieldError.invalid(path, printed(name), why));
  if (!name.includes('/')) {
    if (!OF_CONTAINERS.has(name) && !isHugePages(name)) refuse('must be a standard resource for containers');
  } else if (!isNativeResource(name) && !isExtendedResource(name))
    refuse("doesn't follow extended resource name standard");
  return errors;
}

/** Checks that a quantity is not negative. */
export function notNegativeQuantity(path: string, amount: string): FieldError[] {
  if (parseQuantity(amount).unscaled >= 0n) return [];
  return [fieldError.invalid(path, amount, 'must be greater than or equal to 0')];
}

/** Checks that the quantity of a resource is not negative, and that it is whole if the resource is counted. */
export function validateAmount(path: string, name: string, amount: string): FieldError[] {
  const errors = notNegativeQuantity(path, amount);
  if (isWhole(name) && !isWholeNumber(amount))
    errors.push(fieldError.invalid(path, printed(printFraction(amount)), 'must be an integer'));
  return errors;
}

/** Prints a fraction as Go does. A text without a suffix is that of the client, and `1500m` was probably written as `1.5`. */
const printFraction = (amount: string) =>
  amount.includes('.') ? printQuantity(amount) : printQuantity(fewestDigits(amount), '');

/** Formats a fraction with the fewest digits. */
function fewestDigits(amount: string): string {
  let { unscaled, exponent } = parseQuantity(amount);
  for (; unscaled % 10n === 0n; exponent++) unscaled /= 10n;
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled)
    .slice(sign.length)
    .padStart(1 - exponent, '0');
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

const THOUSANDTH = -3;
/** Only quantities with one of these characters can be more precise than a thousandth. */
const MAYBE_SMALL = /[nueE.]/;

/** Rounds quantities up to thousandths, because kinds store them with this precision. */
export function roundAmounts(amounts: Record<string, string> | undefined): void {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    if (!MAYBE_SMALL.test(amount)) continue;
    const quantity: Quantity = parseQuantity(amount);
    if (amounts && quantity.exponent < THOUSANDTH)
      amounts[name] = formatQuantity(roundQuantityUp(quantity, THOUSANDTH));
  }
}

/** Whether a quantity is a whole number. */
function isWholeNumber(amount: string): boolean {
  const { unscaled, exponent } = parseQuantity(amount);
  if (exponent >= 0) return true;
  return unscaled % 10n ** BigInt(-exponent) === 0n;
}

/** Returns a quantity rounded up to a whole number. */
const wholeOf = (amount: string): bigint => wholeQuantity(parseQuantity(amount));

/** Whether a quantity of huge pages is a multiple of the page size. */
function isWholePages(name: string, amount: string): boolean {
  const size = name.slice(HUGE_PAGES.length);
  if (!isQuantity(size) || hasFraction(parseQuantity(size))) return false;
  const page = wholeOf(size);
  return page > 0n && wholeOf(amount) % page === 0n;
}

/** Whether quantities contain fractions of huge pages. Older versions accepted such quantities. */
export const hasPartsOfPages = ({ limits = {}, requests = {} }: Resources): boolean =>
  [limits, requests].some((amounts) =>
    Object.entries(amounts).some(([name, amount]) => isHugePages(name) && !isWholePages(name, amount)),
  );

function validateHugePages(path: string, name: string, amount: string): FieldError[] {
  if (!isHugePages(name) || isWholePages(name, amount)) return [];
  return [fieldError.invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)];
}

/**
 * Returns the validation errors of a container's resources: names, quantities, and requests above their limits. With `anyPages`, fractions
 * of huge pages are accepted.
 */
export function validateResources(
  path: string,
  { limits = {}, requests = {} }: Resources,
  { anyPages = false } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(limits)) {
    if (isFull(errors)) return errors;
    const at = `${path}.limits[${name}]`;
    addErrors(errors, validateContainerResourceName(at, name));
    addErrors(errors, validateAmount(at, name, amount));
    if (!anyPages) addErrors(errors, validateHugePages(at, name, amount));
  }
  for (const [name, amount] of Object.entries(requests)) {
    if (isFull(errors)) return errors;
    const at = `${path}.requests[${name}]`;
    addErrors(errors, validateContainerResourceName(at, name));
    addErrors(errors, validateAmount(at, name, amount));
    addErrors(errors, validateRequest(path, name, amount, Object.hasOwn(limits, name) ? limits[name] : undefined));
    if (!anyPages) addErrors(errors, validateHugePages(at, name, amount));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(fieldError.forbidden(path, 'HugePages require cpu or memory'));
  return errors;
}

function validateRequest(path: string, name: string, request: string, limit: string | undefined): FieldError[] {
  if (limit === undefined)
    return mayBeOvercommitted(name)
      ? []
      : [fieldError.required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const order = compareQuantities(parseQuantity(request), parseQuantity(limit));
  if (order !== 0 && !mayBeOvercommitted(name))
    return [fieldError.invalid(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`)];
  if (order <= 0) return [];
  return [fieldError.invalid(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)];
}

/** Returns warnings about quantities of bytes that are not whole numbers. `path` is the path of all quantities. */
export function fractionWarnings(
  path: string,
  amounts: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
): readonly string[] {
  const warnings: string[] = [];
  for (const name of names) {
    const amount = amounts?.[name];
    const size = amount === undefined ? undefined : parseQuantity(amount);
    if (size !== undefined && hasFraction(size))
      warnings.push(
        `${path}[${name}]: fractional byte value ${quote(formatQuantity(size))} is invalid, must be an integer`,
      );
  }
  return warnings;
}
