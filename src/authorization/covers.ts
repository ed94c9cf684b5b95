import type { PolicyRule } from './policy-rule.js';
import { urlCovers } from './rule-matching.js';

const ALL = '*';

/** More single permissions than this are not compared: a few short lists multiply to astronomic numbers. */
const MOST_ATOMS = 100_000;

/** A rule that asks for more single permissions than can be compared. */
export class TooManyPermissions extends Error {}

/**
 * What of the wanted rules the owned ones do not cover, as single permissions: one group, resource, verb and at most one name,
 * or one path and verb. Each must be covered by one owned rule alone, and a wanted `*` only by an owned one
 * (gap file auth, 5.9.4).
 * @throws TooManyPermissions when the rules that are not covered as a whole ask for more than 100,000 single permissions.
 */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const missing: PolicyRule[] = [];
  let left = MOST_ATOMS;
  for (const rule of wanted) {
    // A rule that one owned rule covers as a whole needs no taking apart.
    if (owned.some((own) => ruleCovers(own, rule))) continue;
    left -= countAtoms(rule);
    if (!(left >= 0)) throw new TooManyPermissions(`a rule asks for more than ${MOST_ATOMS} single permissions`);
    for (const atom of atomsOf(rule)) if (!owned.some((own) => ruleCovers(own, atom))) missing.push(atom);
  }
  return missing;
}

/** Whether the owned rules cover all wanted ones. @throws TooManyPermissions */
export function covers(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): boolean {
  return uncovered(owned, wanted).length === 0;
}

const lengthOf = (list: readonly string[] | null | undefined) => list?.length ?? 0;

function countAtoms({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const onResources = lengthOf(apiGroups) * lengthOf(resources) * Math.max(1, lengthOf(resourceNames));
  return lengthOf(verbs) * (onResources + lengthOf(nonResourceURLs));
}

/** The single permissions of a rule, in the order of its groups, resources, verbs and names; paths last. */
export function* atomsOf({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): Generator<PolicyRule> {
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      for (const verb of verbs ?? []) {
        const atom: PolicyRule = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (lengthOf(resourceNames) === 0) yield atom;
        for (const name of resourceNames ?? []) yield { ...atom, resourceNames: [name] };
      }
    }
  }
  for (const url of nonResourceURLs ?? [])
    for (const verb of verbs ?? []) yield { verbs: [verb], nonResourceURLs: [url] };
}

function ruleCovers(own: PolicyRule, wanted: PolicyRule): boolean {
  return (
    hasEach(own.verbs, wanted.verbs) &&
    hasEach(own.apiGroups, wanted.apiGroups) &&
    resourcesCover(own.resources, wanted.resources) &&
    namesCover(own.resourceNames, wanted.resourceNames) &&
    (wanted.nonResourceURLs ?? []).every((path) => own.nonResourceURLs?.some((url) => urlCovers(url, path)))
  );
}

type List = readonly string[] | null | undefined;

function hasEach(own: List, wanted: List): boolean {
  return (
    lengthOf(wanted) === 0 || (own?.includes(ALL) ?? false) || (wanted ?? []).every((value) => own?.includes(value))
  );
}

function resourcesCover(own: List, wanted: List): boolean {
  if (own?.includes(ALL)) return true;
  return (wanted ?? []).every((resource) => {
    if (own?.includes(resource)) return true;
    const slash = resource.indexOf('/');
    return slash >= 0 && (own?.includes(`*${resource.slice(slash)}`) ?? false);
  });
}

function namesCover(own: List, wanted: List): boolean {
  if (lengthOf(own) === 0) return true;
  return lengthOf(wanted) > 0 && hasEach(own, wanted) && (wanted ?? []).every((name) => own?.includes(name));
}
