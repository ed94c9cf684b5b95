import { type Dialect, ofDialect } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { validateNodeTerms } from '../core/pod/validation/pod-scheduling-validation.js';
import {
  validateAttributeName,
  validateClassName,
  validateDistinct,
  validateDriver,
  validateItems,
  validateLabel,
  validatePool,
} from './lists.js';
import type {
  AllocationResult,
  DeviceClaim,
  DeviceClassConfiguration,
  DeviceRequest,
  DeviceSelector,
} from './resource-v1alpha3.types.js';

const MOST = 32;
const MODES = ['All', 'ExactCount'];
const SOURCES = ['FromClaim', 'FromClass'];

const selectorRule =
  (check: CheckExpression) =>
  ({ cel }: DeviceSelector, path: string): FieldError[] => {
    if (!cel) return [fieldError.required(`${path}.cel`)];
    const problem = check(cel.expression);
    return problem === undefined ? [] : [fieldError.invalid(`${path}.cel.expression`, cel.expression, problem)];
  };

/** Validates selectors of devices. */
export const validateSelectors = (
  selectors: readonly DeviceSelector[] = [],
  path: string,
  check: CheckExpression,
): FieldError[] => validateItems(selectors, MOST, selectorRule(check), path);

function validateOne({ opaque }: Pick<DeviceClassConfiguration, 'opaque'>, path: string): FieldError[] {
  if (!opaque) return [fieldError.required(`${path}.opaque`)];
  const parameters: unknown = opaque.parameters;
  const at = `${path}.opaque.parameters`;
  const problem =
    parameters === undefined || parameters === null
      ? [fieldError.required(at)]
      : typeof parameters === 'object' && !Array.isArray(parameters)
        ? []
        : [fieldError.invalid(at, '<value omitted>', 'parameters must be a valid JSON object')];
  return [...validateDriver(opaque.driver, `${path}.opaque.driver`), ...problem];
}

/** Validates configurations for drivers. */
export const validateConfigurations = (
  all: readonly Pick<DeviceClassConfiguration, 'opaque'>[] = [],
  path: string,
): FieldError[] => validateItems(all, MOST, validateOne, path);

function validateRequest(request: DeviceRequest, path: string, check: CheckExpression): FieldError[] {
  const { name, deviceClassName, selectors, allocationMode: mode = '', count = 0 } = request;
  const at = `${path}.count`;
  const ofMode =
    mode === 'All'
      ? count === 0
        ? []
        : [fieldError.invalid(at, count, "must not be specified when allocationMode is 'All'")]
      : mode === 'ExactCount'
        ? count > 0
          ? []
          : [fieldError.invalid(at, count, 'must be greater than zero')]
        : [fieldError.notSupported(`${path}.allocationMode`, mode, MODES)];
  return [
    ...validateLabel(name, `${path}.name`),
    ...validateClassName(deviceClassName, `${path}.deviceClassName`),
    ...validateSelectors(selectors, `${path}.selectors`, check),
    ...ofMode,
  ];
}

const namesOf = ({ requests = [] }: DeviceClaim): ReadonlySet<string> => new Set(requests.map(({ name }) => name));
const itself = (value: string): string => value;

const referenceRule = (names: ReadonlySet<string>) => (name: string, path: string) => [
  ...validateLabel(name, path),
  ...(names.has(name) ? [] : [fieldError.invalid(path, name, 'must be the name of a request in the claim')]),
];

/** Validates the requests for devices. */
export function validateDeviceClaim(claim: DeviceClaim, path: string, check: CheckExpression): FieldError[] {
  const { requests = [], constraints = [], config = [] } = claim;
  const reference = referenceRule(namesOf(claim));
  const references = (names: readonly string[] | undefined, at: string) =>
    validateDistinct(names ?? [], MOST, reference, at, itself);
  return [
    ...validateDistinct(
      requests,
      MOST,
      (request, at) => validateRequest(request, at, check),
      `${path}.requests`,
      ({ name }) => name,
      'name',
    ),
    ...validateItems(
      constraints,
      MOST,
      ({ requests: names, matchAttribute }, at) => [
        ...references(names, `${at}.requests`),
        ...(matchAttribute === undefined
          ? [fieldError.required(`${at}.matchAttribute`)]
          : [
              ...validateAttributeName(matchAttribute, `${at}.matchAttribute`),
              ...(matchAttribute.includes('/')
                ? []
                : [fieldError.required(`${at}.matchAttribute.domain`, 'must include a prefix')]),
            ]),
      ],
      `${path}.constraints`,
    ),
    ...validateItems(
      config,
      MOST,
      (each, at) => [...references(each.requests, `${at}.requests`), ...validateOne(each, at)],
      `${path}.config`,
    ),
  ];
}

/** Validates the devices allocated for a claim. */
export function validateAllocation(allocation: AllocationResult, claim: DeviceClaim, path: string): FieldError[] {
  const { devices, nodeSelector, controller = '' } = allocation;
  const { results = [], config = [] } = devices;
  const reference = referenceRule(namesOf(claim));
  return [
    ...validateItems(
      results,
      MOST,
      ({ request, driver, pool, device }, at) => [
        ...reference(request, `${at}.request`),
        ...validateDriver(driver, `${at}.driver`),
        ...validatePool(pool, `${at}.pool`),
        ...validateLabel(device, `${at}.device`),
      ],
      `${path}.devices.results`,
    ),
    ...validateItems(
      config,
      2 * MOST,
      (each, at) => [
        ...(each.source === ''
          ? [fieldError.required(`${at}.source`)]
          : SOURCES.includes(each.source)
            ? []
            : [fieldError.notSupported(`${at}.source`, each.source, SOURCES)]),
        ...validateDistinct(each.requests ?? [], MOST, reference, `${at}.requests`, itself),
        ...validateOne(each, at),
      ],
      `${path}.devices.config`,
    ),
    ...(nodeSelector ? validateNodeTerms(`${path}.nodeSelector`, nodeSelector) : []),
    ...(controller === '' ? [] : validateDriver(controller, `${path}.controller`)),
  ];
}

/** Returns why a device selector expression is invalid; undefined when it is valid. */
type CheckExpression = (expression: string) => string | undefined;

/**
 * Returns a function that checks the expressions of selectors. The CEL engine is loaded only if there are any, because most servers have
 * none.
 */
export async function expressionCheck(
  selectors: readonly DeviceSelector[] | undefined,
  dialect: Dialect,
): Promise<CheckExpression> {
  return selectors?.some(({ cel }) => cel) ? load(dialect) : () => undefined;
}

/** Returns a function that checks the expressions in all requests of a claim. */
export const expressionCheckOf = ({ requests = [] }: DeviceClaim, dialect: Dialect): Promise<CheckExpression> =>
  expressionCheck(
    requests.flatMap(({ selectors = [] }) => selectors),
    dialect,
  );

const load = ofDialect(async ({ typePackage }): Promise<CheckExpression> => {
  const { formatType } = await import('../../cel/index.js');
  const { CompilationFailed, compileTyped, deviceEnvironment } = await import('../../cel/rules.js');
  const environment = deviceEnvironment(typePackage);
  return (expression) => {
    try {
      // An expression may have the type `any`, because it may consist of a single device attribute, whose type is unknown at compile time.
      compileTyped(
        environment,
        expression,
        ['bool', 'any'],
        (type) => `must evaluate to bool or the unknown type, not ${formatType(type)}`,
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof CompilationFailed)) throw error;
      return error.message;
    }
  };
});
