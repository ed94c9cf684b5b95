import type { GroupResource, GroupVersionResource } from '../../meta/group-version.js';
import type { Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { AdmissionAttributes, ResourceForm } from '../admission-plugin.js';

/** A rule as webhooks and policies contain it. It names the requests that the webhook or policy applies to. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** The resources: `pods`, `pods/log`, `pods/*`; either part may be `*`. */
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** The names of objects. Only the rules of policies have this list; an empty list matches all names. */
  readonly resourceNames?: readonly string[];
}

const STAR = '*';
const includesValue = (list: readonly string[] | undefined, value: string) =>
  list?.some((each) => each === STAR || each === value) ?? false;

/** Splits `pods/log` into resource and subresource. The subresource is '' if there is none. */
function splitResource(text: string): readonly [string, string] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** Returns whether a rule names an operation on a resource, or on one of its subresources, in any version. */
export function namesRequest(
  rule: Pick<Rule, 'operations' | 'apiGroups' | 'resources'>,
  { operation, subresource }: Pick<AdmissionAttributes, 'operation' | 'subresource'>,
  { group, resource }: GroupResource,
): boolean {
  return (
    includesValue(rule.operations, operation) &&
    includesValue(rule.apiGroups, group) &&
    (rule.resources ?? []).some((text) => {
      const [ruleResource, ruleSubresource] = splitResource(text);
      return (
        (ruleResource === STAR || ruleResource === resource) &&
        (ruleSubresource === STAR || ruleSubresource === subresource)
      );
    })
  );
}

/** Returns whether a rule matches a request to `resource`, which is the request's own resource or another version of the same objects. */
const matchesRule = (rule: Rule, attributes: AdmissionAttributes, resource: GroupVersionResource): boolean =>
  namesRequest(rule, attributes, resource) &&
  includesValue(rule.apiVersions, resource.version) &&
  hasScope(rule.scope, attributes);

function hasScope(scope: string | undefined, attributes: AdmissionAttributes): boolean {
  if (scope === undefined || scope === STAR) return true;
  const isCluster = attributes.namespace === '' || isNamespace(attributes);
  return (scope === 'Cluster') === isCluster;
}

const hasName = ({ resourceNames = [] }: Rule, name: string) =>
  resourceNames.length === 0 || resourceNames.includes(name);

/**
 * Returns the version in which a webhook or a policy receives the request: the request's own version if a rule matches it, or else, with
 * `Equivalent`, the first version of the same objects that a rule matches. Returns undefined when no rule matches.
 * @param forms the versions, the request's own first
 */
export function matchRules(
  rules: readonly Rule[] | undefined,
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  forms: readonly ResourceForm[],
): ResourceForm | undefined {
  const [own, ...others] = forms;
  if (!own || !rules) return undefined;
  const matches = (rule: Rule, form: ResourceForm) =>
    matchesRule(rule, attributes, form.resource) && hasName(rule, attributes.name);
  if (rules.some((rule) => matches(rule, own))) return own;
  if (matchPolicy !== 'Equivalent') return undefined;
  for (const rule of rules) {
    const match = others.find((form) => matches(rule, form));
    if (match) return match;
  }
  return undefined;
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The index key that every webhook configuration and every policy has. */
const KEY_OF_ALL = '';

/**
 * Returns the index keys of a webhook configuration or policy with these rules: one key for each combination of operation, group and
 * resource, and {@link KEY_OF_ALL}.
 */
export function keysOfRules(rules: readonly Rule[]): readonly string[] {
  const keys = new Set<string>([KEY_OF_ALL]);
  for (const { apiGroups = [], resources = [], operations = [] } of rules) {
    const all = operations.includes(STAR) ? OPERATIONS : operations;
    for (const group of apiGroups)
      for (const text of resources)
        for (const operation of all) keys.add(keyOf(operation, group, splitResource(text)[0]));
  }
  return [...keys];
}

const keyOf = (operation: string, group: string, resource: string) => `${operation} ${group}/${resource}`;

/**
 * Returns whether any webhook or policy may have a rule for a request. Most requests need no matching beyond this check, however many rules
 * exist for other resources.
 */
export function mayBeRuled<T extends ApiObject>(
  lister: Lister<T>,
  keysOf: (object: T) => readonly string[],
  attributes: AdmissionAttributes,
): boolean {
  const found = lister.byIndex(keysOf, KEY_OF_ALL)[Symbol.iterator]();
  // Most servers have no webhooks and policies at all.
  if (found.next().done) return false;
  for (const _ of objectsWithMatchingRule(lister, keysOf, attributes, attributes.forms())) return true;
  return false;
}

/** Returns the webhook configurations or policies that have a rule for the resource and operation of a request, sorted by name. */
export const ruledByName = <T extends ApiObject>(
  lister: Lister<T>,
  keysOf: (object: T) => readonly string[],
  attributes: AdmissionAttributes,
  forms: readonly ResourceForm[],
): readonly T[] => byName(new Set(objectsWithMatchingRule(lister, keysOf, attributes, forms)));

export const byName = <T extends ApiObject>(found: Iterable<T>): readonly T[] =>
  [...found].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));

/**
 * Generates the webhook configurations or policies that have one of the index keys of a request. One that has several of the keys is
 * generated several times.
 */
function* objectsWithMatchingRule<T extends ApiObject>(
  lister: Lister<T>,
  keysOf: (object: T) => readonly string[],
  { operation }: AdmissionAttributes,
  forms: readonly ResourceForm[],
): Generator<T, void, void> {
  for (const { resource: of } of forms)
    for (const group of [of.group, STAR])
      for (const resource of [of.resource, STAR]) yield* lister.byIndex(keysOf, keyOf(operation, group, resource));
}

/**
 * Returns whether a request is for one of the given resources of a group. The type argument `T` asserts the type of the resources' objects.
 */
export const isFor = <T extends ApiObject>(
  attributes: AdmissionAttributes,
  group: string,
  ...resources: readonly string[]
): attributes is AdmissionAttributes<T> =>
  attributes.resource.group === group && resources.includes(attributes.resource.resource);

/** Returns whether the request is for a Namespace itself. */
export const isNamespace = ({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

/** Returns the namespace of a request. For a Namespace it is the object's own name, and for other cluster-scoped kinds ''. */
export const requestNamespace = (attributes: AdmissionAttributes): string =>
  isNamespace(attributes) ? attributes.name : attributes.namespace;
