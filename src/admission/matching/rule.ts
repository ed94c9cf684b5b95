import type { GroupVersionResource } from '../../meta/group-version.js';
import type { Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { AdmissionAttributes, ResourceForm } from '../admission-plugin.js';
import { isNamespace } from './request-namespace.js';

/** Which requests a webhook or a policy is about, as objects hold it. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/log`, `pods/*`, or with stars in place of either part. */
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Policies only: none are all. */
  readonly resourceNames?: readonly string[];
}

const STAR = '*';
const among = (list: readonly string[] | undefined, value: string) =>
  list?.some((each) => each === STAR || each === value) ?? false;

/** The resource part of `pods/log`, and the subresource part, '' for none. */
function splitResource(text: string): readonly [string, string] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** Whether a rule is about a request to `resource`, which is the request's own or one of the same objects. */
function matchesRule(rule: Rule, attributes: AdmissionAttributes, { group, version, resource }: GroupVersionResource) {
  return (
    among(rule.operations, attributes.operation) &&
    among(rule.apiGroups, group) &&
    among(rule.apiVersions, version) &&
    hasScope(rule.scope, attributes) &&
    (rule.resources ?? []).some((text) => {
      const [wanted, subresource] = splitResource(text);
      return (
        (wanted === STAR || wanted === resource) && (subresource === STAR || subresource === attributes.subresource)
      );
    })
  );
}

function hasScope(scope: string | undefined, attributes: AdmissionAttributes): boolean {
  if (scope === undefined || scope === STAR) return true;
  const isCluster = attributes.namespace === '' || isNamespace(attributes);
  return (scope === 'Cluster') === isCluster;
}

const hasName = ({ resourceNames = [] }: Rule, name: string) =>
  resourceNames.length === 0 || resourceNames.includes(name);

/**
 * The version in which the first rule that is about a request wants it: that of the request, or with `Equivalent` another one
 * that serves the same objects. Undefined where none is.
 * @param forms the request's own first
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
    const found = others.find((form) => matches(rule, form));
    if (found) return found;
  }
  return undefined;
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The key that all have. */
const KEY_OF_ALL = '';

/** The keys by which an index finds what has these rules: one a group, resource and operation, and one that all have. */
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

/** Whether any may be about a request: most requests end here, whatever others have rules for. */
export function mayBeRuled<T extends ApiObject>(
  lister: Lister<T>,
  keysOf: (object: T) => readonly string[],
  attributes: AdmissionAttributes,
): boolean {
  const some = (found: Iterable<T>) => {
    for (const _ of found) return true;
    return false;
  };
  return some(lister.byIndex(keysOf, KEY_OF_ALL)) && some(ruled(lister, keysOf, attributes, attributes.forms()));
}

/** Those that have a rule for the resource and operation of a request, by name. */
export const ruledByName = <T extends ApiObject>(
  lister: Lister<T>,
  keysOf: (object: T) => readonly string[],
  attributes: AdmissionAttributes,
  forms: readonly ResourceForm[],
): readonly T[] => byName(new Set(ruled(lister, keysOf, attributes, forms)));

export const byName = <T extends ApiObject>(found: Iterable<T>): readonly T[] =>
  [...found].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));

/** The same once for each key that finds it. */
function* ruled<T extends ApiObject>(
  lister: Lister<T>,
  keysOf: (object: T) => readonly string[],
  { operation }: AdmissionAttributes,
  forms: readonly ResourceForm[],
): Generator<T, void, void> {
  for (const { resource: of } of forms)
    for (const group of [of.group, STAR])
      for (const resource of [of.resource, STAR]) yield* lister.byIndex(keysOf, keyOf(operation, group, resource));
}
