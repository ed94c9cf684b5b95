import { errorsOf, type FieldError, fieldError } from '../../../../meta/field-error.js';
import {
  configMapKey,
  dns1123Subdomain,
  nameIsDns1123Subdomain,
  qualifiedName,
  type Validator,
} from '../../../../meta/names.js';
import { canonicalQuantity, parseQuantity } from '../../../../values/quantity.js';
import { validateOptional, validateRequired } from '../../../shared/value-rules.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { type PodRules, variableNames } from './pod-rules.js';

type Variable = NonNullable<Container['env']>[number];
type Source = NonNullable<Variable['valueFrom']>;

const NAME_PATTERN = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const NAME_REGEX = new RegExp(`^${NAME_PATTERN}$`);

/** Checks the name of an environment variable. */
const variableName: Validator = (name) => {
  const problems: string[] = [];
  if (!NAME_REGEX.test(name))
    problems.push(
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not " +
        `start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '${NAME_PATTERN}')`,
    );
  if (name === '.' || name === '..') problems.push(`must not be '${name}'`);
  else if (name.startsWith('..')) problems.push("must not start with '..'");
  return problems;
};

const RELAXED = /^[ -<>-~]+$/;

/** Checks the name of an environment variable by the relaxed rule (feature gate RelaxedEnvironmentVariableValidation). */
const relaxedName: Validator = (name) => {
  if (RELAXED.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/**
 * Whether the relaxed rule for names of environment variables applies: the feature gate RelaxedEnvironmentVariableValidation is on, or the
 * stored pod already has a name that requires this rule.
 */
export function mayNameFreely(spec: PodSpec, { gates, before }: PodRules): boolean {
  if (gates.RelaxedEnvironmentVariableValidation) return true;
  if (!before) return false;
  const known = variableNames(before.spec);
  const isFree = (name: string) => known.has(name) && variableName(name).length > 0 && relaxedName(name).length === 0;
  return [...variableNames(spec)].some(isFree);
}

/** Fields of a pod that an environment variable can refer to. */
const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const sourcesOf = (source: object) => Object.keys(source).length;

export function validateVariables(path: string, variables: readonly Variable[], freely: boolean): FieldError[] {
  return errorsOf(variables, ({ name, value = '', valueFrom }, i) => {
    const at = `${path}[${i}]`;
    const errors = validateRequired(`${at}.name`, name, freely ? relaxedName : variableName);
    return valueFrom ? [...errors, ...validateSource(`${at}.valueFrom`, valueFrom, value)] : errors;
  });
}

function validateSource(path: string, source: Source, value: string): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  const errors: FieldError[] = [];
  if (fieldRef) errors.push(...validateFieldReference(`${path}.fieldRef`, fieldRef, FIELDS));
  if (resourceFieldRef) errors.push(...validateAmountReference(`${path}.resourceFieldRef`, resourceFieldRef, false));
  if (configMapKeyRef) errors.push(...validateKeyReference(`${path}.configMapKeyRef`, configMapKeyRef));
  if (secretKeyRef) errors.push(...validateKeyReference(`${path}.secretKeyRef`, secretKeyRef));
  const count = sourcesOf(source);
  if (count === 0)
    errors.push(
      fieldError.invalid(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    );
  else if (value !== '') errors.push(fieldError.invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(fieldError.invalid(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function validateKeyReference(
  path: string,
  { name = '', key }: { readonly name?: string; readonly key: string },
): FieldError[] {
  return [
    ...dns1123Subdomain(name).map((message) => fieldError.invalid(`${path}.name`, name, message)),
    ...validateRequired(`${path}.key`, key, configMapKey),
  ];
}

/** Validates the name of a ConfigMap or Secret like a prefix of names. As in upstream, the name may therefore end with a dash. */
const asPrefix: Validator = (name) => nameIsDns1123Subdomain(name, true);

export function validateVariableSources(
  path: string,
  sources: NonNullable<Container['envFrom']>,
  freely: boolean,
): FieldError[] {
  return errorsOf(sources, ({ prefix, configMapRef, secretRef }, i) => {
    const at = `${path}[${i}]`;
    const errors = validateOptional(`${at}.prefix`, prefix, freely ? relaxedName : variableName);
    if (configMapRef) errors.push(...validateRequired(`${at}.configMapRef.name`, configMapRef.name ?? '', asPrefix));
    if (secretRef) errors.push(...validateRequired(`${at}.secretRef.name`, secretRef.name ?? '', asPrefix));
    // As in upstream, a missing source is reported with the path of the list.
    if (!configMapRef && !secretRef)
      errors.push(fieldError.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (configMapRef && secretRef)
      errors.push(fieldError.invalid(path, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}

/** Field labels that pods support. */
const KNOWN = new Set(
  (
    'metadata.annotations metadata.labels metadata.name metadata.namespace metadata.uid spec.nodeName spec.restartPolicy ' +
    'spec.serviceAccountName spec.schedulerName status.phase status.hostIP status.hostIPs status.podIP status.podIPs'
  ).split(' '),
);

/**
 * Checks the reference of an environment variable or of a downward API file to a field of the pod. `supported` is in the order in which
 * error messages list the fields.
 */
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
    // `spec.host` is the older name of `spec.nodeName`.
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

/**
 * Checks the reference of an environment variable or of a downward API file to a container's resource. The reference of a file must name
 * the container, but that of an environment variable need not.
 */
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
