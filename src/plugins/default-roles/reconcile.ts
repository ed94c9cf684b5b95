import { equalJson } from '../../json/equal.js';
import type { ClusterRole, RoleBinding, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { uncovered } from '../rbac/covers.js';
import type { DefaultBinding, DefaultRole } from './default-policy.js';

type Strings = Readonly<Record<string, string>>;
type Expected<T extends { readonly metadata: object }> = Omit<T, 'metadata'> & {
  readonly metadata: { readonly labels?: Strings; readonly annotations?: Strings };
};

/**
 * Brings a stored role in line with the default (spec 13.8). Missing single permissions are added, and other rules stay. A role that ceases
 * to be aggregated keeps its rules.
 * @returns undefined when the stored role needs no change.
 */
export function reconcileRole<T extends ClusterRole>(expected: Expected<DefaultRole>, stored: T): T | undefined {
  const merged = withMetadata(expected, stored);
  const selectors = stored.aggregationRule?.clusterRoleSelectors ?? [];
  if (expected.aggregationRule) {
    const missing = (expected.aggregationRule.clusterRoleSelectors ?? []).filter(
      (selector) => !selectors.some((own) => equalJson(own, selector)),
    );
    if (missing.length === 0) return merged;
    return { ...(merged ?? stored), aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
  }
  const rules = stored.rules ?? [];
  const missing = uncovered(rules, expected.rules ?? []);
  const aggregated = stored.aggregationRule !== undefined;
  if (missing.length === 0 && !aggregated) return merged;
  const { aggregationRule: _, ...rest } = merged ?? stored;
  return { ...rest, rules: [...rules, ...missing] } as unknown as T; // T without an optional member
}

/**
 * Brings a stored binding in line with the default. Missing subjects are added, and others stay.
 * @returns `recreate` when the binding refers to another role, which cannot be changed; undefined when it needs no change.
 */
export function reconcileBinding<T extends RoleBinding>(
  expected: Expected<DefaultBinding>,
  stored: T,
): T | 'recreate' | undefined {
  if (!equalJson({ ...expected.roleRef }, { ...stored.roleRef })) return 'recreate';
  const merged = withMetadata(expected, stored);
  const subjects = stored.subjects ?? [];
  const missing = onlyInFirst(expected.subjects ?? [], subjects);
  return missing.length === 0 ? merged : { ...(merged ?? stored), subjects: [...subjects, ...missing] };
}

/** Returns the subjects of the first list that the second lacks, each once. */
export function onlyInFirst(first: readonly Subject[], second: readonly Subject[]): Subject[] {
  const identity = ({ kind, apiGroup = '', namespace = '', name }: Subject) =>
    JSON.stringify([kind, apiGroup, namespace, name]);
  const known = new Set(second.map(identity));
  return first.filter((subject) => {
    const key = identity(subject);
    return !known.has(key) && known.add(key);
  });
}

/** Returns the stored object with the default labels and annotations that it lacks. Existing values win. */
function withMetadata<T extends ClusterRole | RoleBinding>(
  expected: { readonly metadata: { readonly labels?: Strings; readonly annotations?: Strings } },
  stored: T,
): T | undefined {
  const { labels, annotations } = stored.metadata;
  const lacks = (expectedStrings: Strings = {}, own: Strings = {}) =>
    Object.keys(expectedStrings).some((name) => !Object.hasOwn(own, name));
  if (!lacks(expected.metadata.labels, labels) && !lacks(expected.metadata.annotations, annotations)) return undefined;
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      labels: { ...expected.metadata.labels, ...labels },
      annotations: { ...expected.metadata.annotations, ...annotations },
    },
  };
}
