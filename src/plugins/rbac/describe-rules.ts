import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';

/**
 * Merges simple rules (one group, one resource, at most one name) that differ only in their verbs. All other rules come first, unchanged.
 */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const others: PolicyRule[] = [];
  const simple = new Map<string, PolicyRule & { verbs: string[] }>();
  for (const rule of rules) {
    if (!isSimple(rule)) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames ?? []]);
    const same = simple.get(key);
    if (same) for (const verb of rule.verbs ?? []) same.verbs.push(verb);
    else simple.set(key, { ...rule, verbs: [...(rule.verbs ?? [])] });
  }
  return [...others, ...simple.values()];
}

/** Returns whether a rule has one group, one resource and at most one name. */
function isSimple({ apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): boolean {
  return (
    apiGroups?.length === 1 &&
    resources?.length === 1 &&
    (resourceNames?.length ?? 0) <= 1 &&
    (nonResourceURLs?.length ?? 0) === 0
  );
}

const MEMBERS = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

/** Formats a rule for error messages: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function describeRule(rule: PolicyRule): string {
  const shown = MEMBERS.flatMap(([label, member]) => {
    const list = rule[member] ?? [];
    return list.length === 0 ? [] : [`${label}:${quoteList(list)}`];
  });
  return `{${shown.join(', ')}}`;
}

/** Formats a list for error messages: `["a" "b"]`. */
export function quoteList(list: readonly string[]): string {
  return `[${list.map(quote).join(' ')}]`;
}
