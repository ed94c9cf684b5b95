import { errorsOf, type FieldError, fieldError, isFull, printed } from '../../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../../meta/names.js';
import { validateLabels } from '../../../../meta/object-meta-validation.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../../../selectors/label-selector-object.js';
import { oneOf, validateOptional } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { PodSpec } from '../../core-v1.types.js';
import type { PodRules } from './pod-rules.js';

type Toleration = NonNullable<PodSpec['tolerations']>[number];
type Affinity = NonNullable<PodSpec['affinity']>;
type NodeTerm = NonNullable<
  NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];
type Requirement = NonNullable<NodeTerm['matchExpressions']>[number];
type PodTerm = NonNullable<
  NonNullable<Affinity['podAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number];
type Spread = NonNullable<PodSpec['topologySpreadConstraints']>[number];

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function validateToleration(path: string, toleration: Toleration): FieldError[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const errors = validateOptional(`${path}.key`, key, qualifiedName);
  if (key === '' && operator !== 'Exists')
    errors.push(
      fieldError.invalid(
        `${path}.operator`,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  if (tolerationSeconds !== undefined && effect !== 'NoExecute')
    errors.push(
      fieldError.invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  if (operator === '' || operator === 'Equal') {
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.operator`, value, problems.join(';')));
  } else if (operator !== 'Exists') {
    errors.push(fieldError.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
  } else if (value !== '') {
    const why = "value must be empty when `operator` is 'Exists'";
    const shown = printed(printGoSyntax(coreV1.struct('Toleration'), toleration));
    errors.push(fieldError.invalid(`${path}.operator`, shown, why));
  }
  if (effect !== '') errors.push(...oneOf(`${path}.effect`, effect, EFFECTS));
  return errors;
}

/** Returns the validation errors of tolerations. */
export function validateTolerations(tolerations: readonly Toleration[], path = 'spec.tolerations'): FieldError[] {
  return errorsOf(tolerations, (toleration, i) => validateToleration(`${path}[${i}]`, toleration));
}

function validateRequirement(path: string, { key, operator, values = [] }: Requirement): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (why: string) => errors.push(fieldError.forbidden(`${path}.values`, why));
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0)
        errors.push(fieldError.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) refuse("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1)
        errors.push(
          fieldError.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
        );
      break;
    default:
      errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  return [...errors, ...validateQualifiedName(`${path}.key`, key)];
}

function validateFieldRequirement(path: string, { key, operator, values = [] }: Requirement): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    errors.push(
      fieldError.required(
        `${path}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== 'metadata.name')
    return [...errors, fieldError.invalid(`${path}.key`, key, 'not a valid field selector key')];
  const ofNames = errorsOf(values, (name, i) =>
    dns1123Subdomain(name).map((message) => fieldError.invalid(`${path}.values[${i}]`, name, message)),
  );
  return [...errors, ...ofNames];
}

function validateNodeTerm(path: string, { matchExpressions = [], matchFields = [] }: NodeTerm): FieldError[] {
  return [
    ...errorsOf(matchExpressions, (item, i) => validateRequirement(`${path}.matchExpressions[${i}]`, item)),
    ...errorsOf(matchFields, (item, i) => validateFieldRequirement(`${path}.matchFields[${i}]`, item)),
  ];
}

/** Returns the validation errors of the terms of a node selector, one of which must match. */
export function validateNodeTerms(
  path: string,
  selector: { readonly nodeSelectorTerms: readonly NodeTerm[] },
): FieldError[] {
  const at = `${path}.nodeSelectorTerms`;
  const terms = selector.nodeSelectorTerms ?? [];
  return [
    ...(terms.length === 0 ? [fieldError.required(at, 'must have at least one node selector term')] : []),
    ...errorsOf(terms, (term, i) => validateNodeTerm(`${at}[${i}]`, term)),
  ];
}

function validateWeight(path: string, weight: number): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [fieldError.invalid(path, weight, 'must be in the range 1-100')];
}

function validateNodeAffinity(path: string, affinity: NonNullable<Affinity['nodeAffinity']>): FieldError[] {
  const errors: FieldError[] = [];
  const { requiredDuringSchedulingIgnoredDuringExecution: must } = affinity;
  const { preferredDuringSchedulingIgnoredDuringExecution: preferredTerms = [] } = affinity;
  if (must) {
    errors.push(...validateNodeTerms(`${path}.requiredDuringSchedulingIgnoredDuringExecution`, must));
  }
  for (const [i, { weight, preference }] of preferredTerms.entries()) {
    if (isFull(errors)) break;
    const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`;
    errors.push(...validateWeight(`${at}.weight`, weight), ...validateNodeTerm(`${at}.preference`, preference));
  }
  return errors;
}

/** Options for validating selectors. */
interface LabelLook {
  readonly anyValues: boolean;
}

const validateTermSelectors = (path: string, { labelSelector, namespaceSelector }: PodTerm, look?: LabelLook) => [
  ...(labelSelector ? validateLabelSelector(labelSelector, `${path}.labelSelector`, look) : []),
  ...(namespaceSelector ? validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, look) : []),
];

/** Whether selectors may contain values that are not valid for labels, because the stored pod or its owner has such values. */
export function mayNameAnyValues({ before, anyLabelValues = false }: PodRules): boolean {
  const { podAffinity, podAntiAffinity } = before?.spec.affinity ?? {};
  const isWrong = (term: PodTerm) => validateTermSelectors('', term).length > 0;
  return (
    anyLabelValues ||
    [podAffinity, podAntiAffinity].some(
      (each) =>
        each?.requiredDuringSchedulingIgnoredDuringExecution?.some(isWrong) ||
        each?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) => isWrong(podAffinityTerm)),
    )
  );
}

function validatePodTerm(path: string, term: PodTerm, look: LabelLook): FieldError[] {
  const { namespaces = [], topologyKey } = term;
  const errors: FieldError[] = validateTermSelectors(path, term, look);
  errors.push(
    ...errorsOf(namespaces, (name) =>
      dns1123Label(name).map((message) => fieldError.invalid(`${path}.namespace`, name, message)),
    ),
    ...validateLabelKeys(path, term),
  );
  if (topologyKey === '') errors.push(fieldError.required(`${path}.topologyKey`, 'can not be empty'));
  return [...errors, ...validateQualifiedName(`${path}.topologyKey`, topologyKey)];
}

const validateQualifiedName = (path: string, value: string): FieldError[] =>
  qualifiedName(value).map((message) => fieldError.invalid(path, value, message));

/**
 * Checks matchLabelKeys and mismatchLabelKeys. They must have no key in common, and the label selector must not contain a key of
 * matchLabelKeys except in the requirement that was added for it.
 */
function validateLabelKeys(path: string, term: PodTerm): FieldError[] {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const errors = Object.entries({ matchLabelKeys, mismatchLabelKeys }).flatMap(([field, keys]) => {
    if (keys.length === 0) return [];
    if (!labelSelector) return [fieldError.forbidden(`${path}.${field}`, WITHOUT_SELECTOR)];
    return errorsOf(keys, (key, i) => validateQualifiedName(`${path}.${field}[${i}]`, key));
  });
  const places = new Map(matchLabelKeys.map((key, i) => [key, i]));
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const place = places.get(key);
    if (place !== undefined && selected.has(key) && !isFull(errors))
      errors.push(fieldError.invalid(`${path}[${place}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    selected.add(key);
  }
  const differing = new Set(mismatchLabelKeys);
  const twice = errorsOf(matchLabelKeys, (key, i) => {
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    return differing.has(key) ? [fieldError.invalid(`${path}.matchLabelKeys[${i}]`, key, why)] : [];
  });
  return [...errors, ...twice];
}
const WITHOUT_SELECTOR = 'must not be specified when labelSelector is not set';

function validatePodAffinity(
  path: string,
  affinity: NonNullable<Affinity['podAffinity']>,
  look: LabelLook,
): FieldError[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: must = [] } = affinity;
  const { preferredDuringSchedulingIgnoredDuringExecution: preferredTerms = [] } = affinity;
  return [
    ...errorsOf(must, (term, i) =>
      validatePodTerm(`${path}.requiredDuringSchedulingIgnoredDuringExecution[${i}]`, term, look),
    ),
    ...errorsOf(preferredTerms, ({ weight, podAffinityTerm }, i) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`;
      const ofTerm = validatePodTerm(`${at}.podAffinityTerm`, podAffinityTerm, look);
      return [...validateWeight(`${at}.weight`, weight), ...ofTerm];
    }),
  ];
}

export function validateAffinity(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  rules: PodRules,
): FieldError[] {
  const look = { anyValues: (podAffinity ?? podAntiAffinity) !== undefined && mayNameAnyValues(rules) };
  return [
    ...(nodeAffinity ? validateNodeAffinity('spec.affinity.nodeAffinity', nodeAffinity) : []),
    ...(podAffinity ? validatePodAffinity('spec.affinity.podAffinity', podAffinity, look) : []),
    ...(podAntiAffinity ? validatePodAffinity('spec.affinity.podAntiAffinity', podAntiAffinity, look) : []),
  ];
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

/** Checks one constraint without its selector. `repeated` means that a later constraint has the same key and policy. */
function validateSpread(path: string, constraint: Spread, repeated: boolean): FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable, minDomains } = constraint;
  const errors = maxSkew > 0 ? [] : [fieldError.invalid(`${path}.maxSkew`, maxSkew, 'must be greater than zero')];
  if (topologyKey === '') errors.push(fieldError.required(`${path}.topologyKey`, 'can not be empty'));
  if (!ACTIONS.includes(whenUnsatisfiable))
    errors.push(fieldError.notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS));
  if (repeated) errors.push(fieldError.duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, printPair(constraint)));
  const ofDomains = (why: string) => errors.push(fieldError.invalid(`${path}.minDomains`, minDomains, why));
  if (minDomains !== undefined && minDomains <= 0) ofDomains('must be greater than zero');
  if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule')
    ofDomains(`can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`);
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const policy = constraint[field];
    if (policy !== undefined && !POLICIES.includes(policy))
      errors.push(fieldError.notSupported(`${path}.${field}`, policy, POLICIES));
  }
  return [...errors, ...validateSpreadKeys(`${path}.matchLabelKeys`, constraint)];
}

const validateSpreadSelector = (path: string, { labelSelector }: Spread): FieldError[] =>
  labelSelector ? validateLabelSelector(labelSelector, `${path}.labelSelector`) : [];

const printPair = ({ topologyKey, whenUnsatisfiable }: Spread) => `{${topologyKey}, ${whenUnsatisfiable}}`;

function validateSpreadKeys(path: string, { matchLabelKeys = [], labelSelector }: Spread): FieldError[] {
  if (matchLabelKeys.length === 0) return [];
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {};
  const selected = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]);
  const errors = errorsOf(matchLabelKeys, (key, i) => [
    ...validateQualifiedName(`${path}[${i}]`, key),
    ...(selected.has(key)
      ? [fieldError.invalid(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector')]
      : []),
  ]);
  return labelSelector ? errors : [fieldError.forbidden(path, WITHOUT_SELECTOR), ...errors];
}

/** Returns the validation errors of topology spread constraints. There may be only one for each topology key and policy. */
export function validateSpreads(constraints: readonly Spread[], { before }: PodRules): FieldError[] {
  const last = new Map(constraints.map((constraint, i) => [printPair(constraint), i]));
  // If selectors of the stored pod are invalid, invalid selectors are accepted.
  const old = before?.spec.topologySpreadConstraints ?? [];
  const selects = old.every((constraint) => validateSpreadSelector('', constraint).length === 0);
  return errorsOf(constraints, (constraint, i) => {
    const path = `spec.topologySpreadConstraints[${i}]`;
    const errors = validateSpread(path, constraint, last.get(printPair(constraint)) !== i);
    return selects ? [...errors, ...validateSpreadSelector(path, constraint)] : errors;
  });
}

/** Returns the validation errors of the labels in a node selector. */
export function validateNodeSelector(labels: PodSpec['nodeSelector']): FieldError[] {
  return validateLabels(labels, 'spec.nodeSelector');
}

/** Returns the validation errors of scheduling gates, which must have distinct qualified names. */
export function validateGates(gates: NonNullable<PodSpec['schedulingGates']>): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(gates, ({ name }, i) => {
    const path = `spec.schedulingGates[${i}]`;
    const errors = validateQualifiedName(path, name);
    if (seen.has(name)) errors.push(fieldError.duplicate(path, name));
    seen.add(name);
    return errors;
  });
}
