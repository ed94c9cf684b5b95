import { equalJson } from '../../json/equal.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../meta/names.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { validateOptional, validateRequired } from '../shared/value-rules.js';
import { validateConditionTypes } from './condition.js';
import { mandatoryFlowSchemas } from './default-objects.js';
import { flowcontrolV1 } from './flowcontrol-v1.js';
import type { FlowSchema } from './flowcontrol-v1.types.js';

type Rule = NonNullable<FlowSchema['spec']['rules']>[number];
type Subject = NonNullable<Rule['subjects']>[number];
type ResourceRule = NonNullable<Rule['resourceRules']>[number];
type NonResourceRule = NonNullable<Rule['nonResourceRules']>[number];

const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const MAX_PRECEDENCE = 10_000;
const EXEMPT = 'exempt';

/** Returns the validation errors of a flow schema. */
export const validateFlowSchema = (object: FlowSchema): FieldError[] => [
  ...validateSpec(object),
  ...validateMandatory(object),
  ...validateConditionTypes(object),
];

function validateMandatory({ metadata, spec }: FlowSchema): FieldError[] {
  const fixed = mandatoryFlowSchemas.find((object) => object.metadata.name === metadata.name);
  if (!fixed || equalJson(spec, fixed.spec)) return [];
  return [
    fieldError.invalid(
      'spec',
      printed(printGoSyntax(flowcontrolV1.struct('FlowSchemaSpec'), spec)),
      `spec of '${metadata.name}' must equal the fixed value`,
    ),
  ];
}

function validateSpec({ metadata, spec }: FlowSchema): FieldError[] {
  const { matchingPrecedence: precedence, distinguisherMethod, priorityLevelConfiguration: level, rules = [] } = spec;
  const errors: FieldError[] = [];
  const refuse = (why: string) => errors.push(fieldError.invalid('spec.matchingPrecedence', precedence, why));
  if (precedence <= 0) refuse('must be a positive value');
  if (precedence > MAX_PRECEDENCE) refuse(`must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && metadata.name !== EXEMPT)
    refuse(`only the schema named '${EXEMPT}' may have matchingPrecedence 1`);
  if (distinguisherMethod && !METHODS.includes(distinguisherMethod.type)) {
    const path = 'spec.distinguisherMethod.type';
    const value = printed(printGoSyntax(flowcontrolV1.struct('FlowDistinguisherMethod'), distinguisherMethod));
    errors.push(fieldError.notSupported(path, value, METHODS));
  }
  const path = 'spec.priorityLevelConfiguration.name';
  if (level.name === '') errors.push(fieldError.required(path, 'must reference a priority level'));
  return [
    ...errors,
    ...validateOptional(path, level.name, dns1123Subdomain),
    ...errorsOf(rules, (rule, i) => validateRule(rule, `spec.rules[${i}]`)),
  ];
}

function validateRule(rule: Rule, path: string): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  const why = 'at least one of resourceRules and nonResourceRules has to be non-empty';
  return [
    ...(subjects.length === 0
      ? [fieldError.required(`${path}.subjects`, 'subjects must contain at least one value')]
      : errorsOf(subjects, (subject, i) => validateSubject(subject, `${path}.subjects[${i}]`))),
    ...(resourceRules.length + nonResourceRules.length === 0 ? [fieldError.required(path, why)] : []),
    ...errorsOf(resourceRules, (item, i) => validateResourceRule(item, `${path}.resourceRules[${i}]`)),
    ...errorsOf(nonResourceRules, (item, i) => validateNonResourceRule(item, `${path}.nonResourceRules[${i}]`)),
  ];
}

// The members are in the order in which error messages list them.
const PARTS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function validateSubject(subject: Subject, path: string): FieldError[] {
  const { kind } = subject;
  if (!Object.hasOwn(PARTS, kind)) return [fieldError.notSupported(`${path}.kind`, kind, Object.keys(PARTS).sort())];
  const own = PARTS[kind as keyof typeof PARTS];
  const others = Object.entries(PARTS).filter(([other, part]) => other !== kind && subject[part] !== undefined);
  return [
    ...(subject[own] === undefined
      ? [fieldError.required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`)]
      : validatePart(subject, own, `${path}.${own}`)),
    ...others.map(([other, part]) =>
      fieldError.forbidden(`${path}.${part}`, `${part} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

function validatePart({ user, group, serviceAccount }: Subject, part: string, path: string): FieldError[] {
  if (part !== 'serviceAccount') {
    const name = (part === 'user' ? user : group)?.name ?? '';
    return name === '' ? [fieldError.required(`${path}.name`)] : [];
  }
  const { name = '', namespace = '' } = serviceAccount ?? {};
  return [
    ...(name === '*' ? [] : validateRequired(`${path}.name`, name, dns1123Subdomain)),
    ...(namespace === ''
      ? [fieldError.required(`${path}.namespace`, 'must specify namespace for service account')]
      : validateOptional(`${path}.namespace`, namespace, dns1123Label)),
  ];
}

/** Checks that a list is not empty, and that it contains nothing else if it contains `*`. */
function validateList(path: string, list: readonly string[], empty: string, what: string): FieldError[] {
  if (list.length === 0) return [fieldError.required(path, empty)];
  if (list.length === 1 || !list.includes('*')) return [];
  return [fieldError.invalid(path, list, `if '*' is present, must not specify other ${what}`)];
}

function validateVerbs(path: string, verbs: readonly string[]): FieldError[] {
  if (verbs.includes('*') || verbs.length === 0)
    return validateList(path, verbs, 'verbs must contain at least one value', 'verbs');
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [fieldError.notSupported(path, verbs, VERBS)];
}

function validateResourceRule(rule: ResourceRule, path: string): FieldError[] {
  const none = (what: string) => `resource rules must supply at least one ${what}`;
  return [
    ...validateVerbs(`${path}.verbs`, rule.verbs ?? []),
    ...validateList(`${path}.apiGroups`, rule.apiGroups ?? [], none('api group'), 'api groups'),
    ...validateList(`${path}.resources`, rule.resources ?? [], none('resource'), 'resources'),
    ...validateNamespaces(`${path}.namespaces`, rule),
  ];
}

function validateNamespaces(path: string, { namespaces, clusterScope = false }: ResourceRule): FieldError[] {
  const list = namespaces ?? [];
  if (list.length === 0 && clusterScope) return [];
  if (list.length === 0 || list.includes('*')) {
    const none = 'resource rules that are not cluster scoped must supply at least one namespace';
    return validateList(path, list, none, 'namespaces');
  }
  const text = (why: string) => `each member of this list must be '*' or a DNS-1123 label; ${why}`;
  return errorsOf(list, (name, i) =>
    dns1123Label(name).map((why) => fieldError.invalid(`${path}[${i}]`, name, text(why))),
  );
}

function validateNonResourceRule(rule: NonResourceRule, path: string): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const at = `${path}.nonResourceURLs`;
  const none = 'nonResourceURLs must contain at least one value';
  return [
    ...validateVerbs(`${path}.verbs`, rule.verbs ?? []),
    ...(urls.length === 0 || urls.includes('*')
      ? validateList(at, urls, none, 'non-resource URLs')
      : errorsOf(urls, (url, i) => validatePath(`${at}[${i}]`, url))),
  ];
}

function validatePath(path: string, url: string): FieldError[] {
  const problem = pathProblem(url);
  return problem === undefined ? [] : [fieldError.invalid(path, url, problem)];
}

function pathProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf('*');
  return star < 0 || (url.endsWith('/*') && star === url.length - 1)
    ? undefined
    : 'wildcard can only do suffix matching';
}
