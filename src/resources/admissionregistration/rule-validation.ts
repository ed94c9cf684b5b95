import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { pathSegment } from '../../meta/names.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { validateOptional } from '../shared/value-rules.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import type { MatchResources, NamedRuleWithOperations, RuleWithOperations } from './admissionregistration-v1.types.js';

const STAR = '*';

/** Checks that a value is one of the supported ones. An absent value is valid, but an empty string is not. */
export function oneOfSupported(path: string, value: string | undefined, supported: readonly string[]): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)];
}

/** Returns the validation errors of a webhook's rule. */
export function validateRule(rule: RuleWithOperations, path: string): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const at = (field: string) => `${path}.${field}`;
  return [
    ...requireSome(at('operations'), operations),
    ...validateStarIsAlone(
      at('operations'),
      operations,
      'operations',
      printGoSyntax(admissionregistrationV1.type('[]OperationType atomic'), operations, 'admissionregistration'),
    ),
    ...errorsOf(operations, (operation, i) => oneOfSupported(`${at('operations')}[${i}]`, operation, OPERATIONS)),
    ...requireSome(at('apiGroups'), apiGroups),
    ...validateStarIsAlone(at('apiGroups'), apiGroups, 'API groups'),
    ...requireSome(at('apiVersions'), apiVersions),
    ...validateStarIsAlone(at('apiVersions'), apiVersions, 'API versions'),
    ...errorsOf(apiVersions, (version, i) =>
      version === '' ? [fieldError.required(`${at('apiVersions')}[${i}]`)] : [],
    ),
    ...validateResources(at('resources'), resources),
    ...oneOfSupported(at('scope'), scope, SCOPES),
  ];
}

const requireSome = (path: string, list: readonly string[]) => (list.length === 0 ? [fieldError.required(path)] : []);

function validateStarIsAlone(path: string, list: readonly string[], what: string, shown?: string): FieldError[] {
  if (list.length < 2 || !list.includes(STAR)) return [];
  const why = `if '*' is present, must not specify other ${what}`;
  return [fieldError.invalid(path, shown === undefined ? list : printed(shown), why)];
}

/** Checks the resources of a rule, including that no subresource is already covered by an earlier wildcard. */
function validateResources(path: string, resources: readonly string[]): FieldError[] {
  const errors = requireSome(path, resources);
  const allOf = new Set<string>();
  const ofAll = new Set<string>();
  let lastIsPlain = false;
  errors.push(
    ...errorsOf(resources, (text, i) => {
      const at = `${path}[${i}]`;
      if (text === '') return [fieldError.required(at)];
      const slash = text.indexOf('/');
      if (slash < 0) {
        lastIsPlain = text !== STAR;
        return [];
      }
      const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
      const covered = [
        ...(allOf.has(resource) ? [`${resource}/*`] : []),
        ...(ofAll.has(subresource) ? [`*/${subresource}`] : []),
      ];
      if (subresource === STAR) allOf.add(resource);
      if (resource === STAR) ofAll.add(subresource);
      return covered.map((by) => fieldError.invalid(at, text, `if '${by}' is present, must not specify ${text}`));
    }),
  );
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(fieldError.invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes(STAR) && lastIsPlain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(fieldError.invalid(path, resources, why));
  }
  return errors;
}

/** Returns the validation errors of the `matchResources` of a policy or a binding. */
export function validateMatchResources(match: MatchResources | undefined, path: string): FieldError[] {
  if (!match) return [];
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [] } = match;
  const selector = (field: string, value: typeof objectSelector) =>
    value ? validateLabelSelector(value, `${path}.${field}`) : [fieldError.required(`${path}.${field}`)];
  return [
    ...(matchPolicy === undefined ? [fieldError.required(`${path}.matchPolicy`)] : []),
    ...oneOfSupported(`${path}.matchPolicy`, matchPolicy, MATCH_POLICIES),
    ...selector('namespaceSelector', namespaceSelector),
    ...selector('objectSelector', objectSelector),
    ...errorsOf(resourceRules, (rule, i) => validateNamedRule(rule, `${path}.resourceRules[${i}]`)),
    ...errorsOf(excludeResourceRules, (rule, i) => validateNamedRule(rule, `${path}.excludeResourceRules[${i}]`)),
  ];
}

function validateNamedRule(rule: NamedRuleWithOperations, path: string): FieldError[] {
  const names = new Set<string>();
  const ofNames = errorsOf(rule.resourceNames ?? [], (name, i) => {
    const at = `${path}.resourceNames[${i}]`;
    const problems = validateOptional(at, name, pathSegment);
    if (names.has(name)) problems.push(fieldError.duplicate(at, name));
    names.add(name);
    return problems;
  });
  return [...ofNames, ...validateRule(rule, path)];
}

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
export const FAILURE_POLICIES = ['Fail', 'Ignore'];
export const MATCH_POLICIES = ['Equivalent', 'Exact'];
