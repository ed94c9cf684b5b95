import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { countAtoms, OwnedRules, Steps, TooManyPermissions } from './owned-rules.js';

/**
 * The maximum number of single permissions (one group, resource, verb and name each) in a comparison. The limit is needed because the
 * lengths of a rule's lists are multiplied.
 */
const MOST_ATOMS = 100_000;
/**
 * The maximum number of steps in a comparison. Checking a rule, or one entry in a rule's lists, is one step. This many steps take a few
 * milliseconds.
 */
const MOST_STEPS = 500_000;

/** Limits on the work of a comparison. Without options only the number of single permissions is limited. */
export interface CompareLimits {
  /** The number of missing permissions at which the comparison ends. Error messages need no more. Default: all are found. */
  readonly missing?: number;
  /** The maximum number of steps, each of which checks a rule or one entry in a rule's lists. Default: any number. */
  readonly steps?: number;
}

/** The limits for comparing rules in requests. */
export const CALLERS_LIMITS: CompareLimits = { missing: 1000, steps: MOST_STEPS };

/**
 * Returns the required permissions that the owned rules do not cover. They are single permissions: one group, resource, verb and at most
 * one name, or one path and verb. A permission is covered only if a single owned rule covers all of it. A required `*` is covered only by
 * an owned `*`.
 * @throws TooManyPermissions when the limits are reached, or when the rules that no single owned rule covers as a whole contain more than
 * 100,000 single permissions.
 */
export function uncoveredPermissions(
  owned: readonly PolicyRule[],
  required: readonly PolicyRule[],
  limits: CompareLimits = {},
): PolicyRule[] {
  const { missing: most = Number.POSITIVE_INFINITY, steps = Number.POSITIVE_INFINITY } = limits;
  const rules = new OwnedRules(owned, new Steps(steps));
  const forWholes = new Steps(steps);
  const missing: PolicyRule[] = [];
  let left = MOST_ATOMS;
  for (const rule of required) {
    // If a single owned rule covers the whole required rule, the required rule need not be split into single permissions.
    if (rules.coversWhole(rule, forWholes)) continue;
    left -= countAtoms(rule);
    if (!(left >= 0)) throw new TooManyPermissions(`a rule asks for more than ${MOST_ATOMS} single permissions`);
    for (const atom of atomsOf(rule)) {
      if (coversAtom(rules, atom)) continue;
      missing.push(atom);
      if (missing.length >= most) return missing;
    }
  }
  return missing;
}

function coversAtom(rules: OwnedRules, atom: PolicyRule): boolean {
  const [verb = ''] = atom.verbs;
  const [path] = atom.nonResourceURLs ?? [];
  if (path !== undefined) return rules.coversPath(path, verb);
  return rules.coversResource(atom.apiGroups?.[0] ?? '', atom.resources?.[0] ?? '', verb, atom.resourceNames?.[0]);
}

/** Generates the single permissions of a rule, in the order of its groups, resources, verbs and names; paths come last. */
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
        if ((resourceNames?.length ?? 0) === 0) yield atom;
        for (const name of resourceNames ?? []) yield { ...atom, resourceNames: [name] };
      }
    }
  }
  for (const url of nonResourceURLs ?? [])
    for (const verb of verbs ?? []) yield { verbs: [verb], nonResourceURLs: [url] };
}
