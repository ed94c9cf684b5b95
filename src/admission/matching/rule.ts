import type { GroupVersionResource } from '../../meta/group-version.js';
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

/** Under which all of them are found. */
const ALL = '';

/** The keys by which an index finds what has these rules: one a group and resource, and one that all have. */
export function keysOfRules(rules: readonly Rule[]): readonly string[] {
  const keys = new Set<string>([ALL]);
  for (const { apiGroups = [], resources = [] } of rules)
    for (const group of apiGroups) for (const text of resources) keys.add(`${group}/${splitResource(text)[0]}`);
  return [...keys];
}

/** The keys under which what may be about a request is. */
export function keysOfRequest(forms: readonly ResourceForm[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const {
    resource: { group, resource },
  } of forms)
    for (const key of [`${group}/${resource}`, `*/${resource}`, `${group}/*`, '*/*']) keys.add(key);
  return keys;
}

/** The key that all have. */
export const KEY_OF_ALL = ALL;
