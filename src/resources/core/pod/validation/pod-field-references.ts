import { type FieldError, fieldError } from '../../../../meta/field-error.js';
import { qualifiedName } from '../../../../meta/names.js';
import { canonicalQuantity, parseQuantity } from '../../../../values/quantity.js';

/** Field labels that pods support. */
const KNOWN = new Set(
  (
    'metadata.annotations metadata.labels metadata.name metadata.namespace metadata.uid spec.nodeName spec.restartPolicy ' +
    'spec.serviceAccountName spec.schedulerName status.phase status.hostIP status.hostIPs status.podIP status.podIPs'
  ).split(' '),
);

/** Checks a reference to a field of the pod, in a variable or a file. `supported` is in the order of messages. */
export function validateFieldReference(
  path: string,
  { apiVersion = '', fieldPath }: { readonly apiVersion?: string; readonly fieldPath: string },
  supported: readonly string[],
): FieldError[] {
  if (apiVersion === '') return [fieldError.required(`${path}.apiVersion`)];
  if (fieldPath === '') return [fieldError.required(`${path}.fieldPath`)];
  const unknown = (why: string) => [
    fieldError.invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== 'v1') return unknown(`unsupported pod version: ${apiVersion}`);
  const bracket = fieldPath.indexOf("['");
  const end = fieldPath.length - 2;
  if (bracket <= 0 || bracket + 2 > end || !fieldPath.endsWith("']")) {
    // The field has an older name.
    const field = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
    if (!KNOWN.has(field)) return unknown(`field label not supported: ${fieldPath}`);
    return supported.includes(field) ? [] : [fieldError.notSupported(`${path}.fieldPath`, field, supported)];
  }
  const map = fieldPath.slice(0, bracket);
  const key = fieldPath.slice(bracket + 2, end);
  if (map !== 'metadata.annotations' && map !== 'metadata.labels')
    return unknown(`field label does not support subscript: ${fieldPath}`);
  const name = map === 'metadata.annotations' ? key.toLowerCase() : key;
  return qualifiedName(name).map((message) => fieldError.invalid(path, name, message));
}

const AMOUNTS = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const isHugePages = (resource: string) =>
  resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-');
const SIZES = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';

interface AmountReference {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor: string;
}

/** Checks a reference to a container's resource, in a variable or (with the name of the container) in a file. */
export function validateAmountReference(
  path: string,
  { containerName = '', resource, divisor }: AmountReference,
  inFile: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (inFile && containerName === '') errors.push(fieldError.required(`${path}.containerName`));
  else if (resource === '') errors.push(fieldError.required(`${path}.resource`));
  else if (!AMOUNTS.includes(resource) && !isHugePages(resource))
    errors.push(fieldError.notSupported(`${path}.resource`, resource, AMOUNTS));
  return [...errors, ...validateDivisor(`${path}.divisor`, resource, divisor)];
}

function validateDivisor(path: string, resource: string, divisor: string): FieldError[] {
  if (parseQuantity(divisor).unscaled === 0n) return [];
  const unit = canonicalQuantity(divisor);
  const refuse = (units: string, what: string) =>
    units.split(/, | and /).includes(unit)
      ? []
      : [fieldError.invalid(path, resource, `only divisor's values ${units} are supported with the ${what} resource`)];
  if (isHugePages(resource)) return refuse(SIZES, 'hugepages');
  if (!AMOUNTS.includes(resource)) return [];
  switch (resource.slice(resource.indexOf('.') + 1)) {
    case 'cpu':
      return refuse('1m and 1', 'cpu');
    case 'memory':
      return refuse(SIZES, 'memory');
    default:
      return refuse(SIZES, 'local ephemeral storage');
  }
}
