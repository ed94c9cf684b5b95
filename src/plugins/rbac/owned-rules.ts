import { prefixOf } from '../../authorization/path-patterns.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';

const ALL = '*';

/**
 * The maximum ratio between the number of single permissions of a rule and the number of entries in its lists. A rule with a higher ratio
 * is not split into single permissions, because an index of them would be too large.
 */
const MOST_EXPANSION = 16;

/** The error for a comparison that needs more work than its limits allow. */
export class TooManyPermissions extends Error {}

/** A budget for comparing required with owned rules. Checking a rule, or one entry in a rule's lists, costs one step. */
export class Steps {
  #remaining: number;

  constructor(most: number) {
    this.#remaining = most;
  }

  /** Takes steps from the budget. Returns whether the budget was sufficient. */
  take(count = 1): boolean {
    this.#remaining -= count;
    return this.#remaining >= 0;
  }
}

type List = readonly string[] | null | undefined;

const lengthOf = (list: List) => list?.length ?? 0;

/** Returns the number of single permissions that a rule grants. */
export function countAtoms({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const onResources = lengthOf(apiGroups) * lengthOf(resources) * Math.max(1, lengthOf(resourceNames));
  return lengthOf(verbs) * (onResources + lengthOf(nonResourceURLs));
}

const countWords = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) =>
  lengthOf(verbs) + lengthOf(apiGroups) + lengthOf(resources) + lengthOf(resourceNames);

/** The entries of a list in a rule. Long lists are sets, so that a look-up is fast. */
type Words = readonly string[] | ReadonlySet<string>;
const SHORT = 8;

const wordsOf = (list: List): Words => ((list?.length ?? 0) > SHORT ? new Set(list) : (list ?? []));
const contains = (words: Words, word: string) => ('has' in words ? words.has(word) : words.includes(word));

/** A rule whose long lists are sets, so that a look-up is fast. */
class OwnedRule {
  readonly #verbs: Words;
  readonly #groups: Words;
  readonly #resources: Words;
  readonly #names: Words;
  readonly #allowsAnyName: boolean;

  constructor({ verbs, apiGroups, resources, resourceNames }: PolicyRule) {
    this.#verbs = wordsOf(verbs);
    this.#groups = wordsOf(apiGroups);
    this.#resources = wordsOf(resources);
    this.#names = wordsOf(resourceNames);
    this.#allowsAnyName = lengthOf(resourceNames) === 0;
  }

  verb(verb: string): boolean {
    return contains(this.#verbs, ALL) || contains(this.#verbs, verb);
  }
  group(group: string): boolean {
    return contains(this.#groups, ALL) || contains(this.#groups, group);
  }
  resource(resource: string): boolean {
    return coveringResources(resource).some((own) => contains(this.#resources, own));
  }
  /** Returns whether the rule covers a resource name. A rule without names covers every name, and requests without a name. */
  name(name: string | undefined): boolean {
    return this.#allowsAnyName || (name !== undefined && contains(this.#names, name));
  }
  names(names: List): boolean {
    return this.#allowsAnyName || (lengthOf(names) > 0 && (names ?? []).every((name) => contains(this.#names, name)));
  }
}

/**
 * Returns the entries of a rule's `resources` that match a resource: its own name, `*`, and for a subresource also `*` with this
 * subresource.
 */
function coveringResources(resource: string): readonly string[] {
  const slash = resource.indexOf('/');
  return slash < 0 ? [resource, ALL] : [resource, `*${resource.slice(slash)}`, ALL];
}

/** The resource names that a user has permission on, for one group, resource and verb. */
interface Held {
  all: boolean;
  names: Set<string> | undefined;
}
/** The verbs that the rules of a user allow on one entry of `nonResourceURLs`. */
interface HeldPath {
  /** The prefix of the covered paths if the entry ends in `*`; undefined when it covers only one path. */
  readonly prefix: string | undefined;
  readonly verbs: Set<string>;
  /** The verbs of each rule that is not split because it has too many single permissions. */
  readonly wide: ReadonlySet<string>[];
}
type ByVerb = Map<string, Held>;
type ByGroup = Map<string, ByVerb>;

function memberOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/**
 * The rules that a user holds, indexed by resource, group and verb. Construction takes time proportional to the length of the rules. The
 * cost of looking up a single permission does not depend on the number of rules, except for rules that are not split because of their many
 * permissions. Each check of such a rule takes one step from the budget `steps`.
 */
export class OwnedRules {
  readonly #steps: Steps;
  readonly #single = new Map<string, ByGroup>();
  readonly #wildcardRules = new Map<string, OwnedRule[]>();
  readonly #byResource = new Map<string, OwnedRule[]>();
  readonly #paths = new Map<string, HeldPath>();
  #prefixes: readonly HeldPath[] | undefined;

  constructor(rules: readonly PolicyRule[], steps: Steps) {
    this.#steps = steps;
    for (const rule of rules) {
      if (lengthOf(rule.resources) > 0) this.#addResources(rule);
      if (lengthOf(rule.nonResourceURLs) > 0) this.#addPaths(rule);
    }
  }

  #addResources(rule: PolicyRule): void {
    const owned = new OwnedRule(rule);
    const { nonResourceURLs: _, ...onResources } = rule;
    const wide = countAtoms(onResources) > MOST_EXPANSION * countWords(rule);
    for (const resource of new Set(rule.resources)) {
      memberOf(this.#byResource, resource, () => []).push(owned);
      if (wide) memberOf(this.#wildcardRules, resource, () => []).push(owned);
      else this.#addSingle(resource, rule);
    }
  }

  #addSingle(resource: string, { apiGroups, verbs, resourceNames }: PolicyRule): void {
    const byGroup = memberOf(this.#single, resource, (): ByGroup => new Map());
    for (const group of apiGroups ?? []) {
      const byVerb = memberOf(byGroup, group, (): ByVerb => new Map());
      for (const verb of verbs ?? []) {
        const held = memberOf(byVerb, verb, (): Held => ({ all: false, names: undefined }));
        if (lengthOf(resourceNames) === 0) held.all = true;
        for (const name of resourceNames ?? []) (held.names ??= new Set()).add(name);
      }
    }
  }

  #addPaths({ nonResourceURLs, verbs }: PolicyRule): void {
    const own: ReadonlySet<string> = new Set(verbs);
    const urls = new Set(nonResourceURLs);
    const wide = own.size * urls.size > MOST_EXPANSION * (own.size + urls.size);
    for (const url of urls) {
      const held = memberOf(this.#paths, url, (): HeldPath => ({ prefix: prefixOf(url), verbs: new Set(), wide: [] }));
      if (wide) held.wide.push(own);
      else for (const verb of own) held.verbs.add(verb);
    }
  }

  /**
   * Returns whether a single owned rule covers all permissions of a rule about resources. It also returns false when the check exceeds its
   * maximum number of steps; the caller then checks the single permissions.
   */
  coversWhole({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule, steps: Steps): boolean {
    const [first] = resources ?? [];
    if (first === undefined || lengthOf(nonResourceURLs) > 0) return false;
    const coversList = (rule: OwnedRule, list: List, has: (rule: OwnedRule, value: string) => boolean) =>
      (list ?? []).every((value) => steps.take() && has(rule, value));
    for (const way of coveringResources(first)) {
      for (const rule of this.#byResource.get(way) ?? []) {
        if (!steps.take()) return false;
        if (
          coversList(rule, verbs, (own, verb) => own.verb(verb)) &&
          coversList(rule, apiGroups, (own, group) => own.group(group)) &&
          coversList(rule, resources, (own, resource) => own.resource(resource)) &&
          steps.take(lengthOf(resourceNames)) &&
          rule.names(resourceNames)
        )
          return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a single owned rule covers a permission on a resource. If `name` is undefined, only a rule without `resourceNames`
   * does.
   * @throws TooManyPermissions when the check exceeds its maximum number of steps.
   */
  coversResource(group: string, resource: string, verb: string, name: string | undefined): boolean {
    return coveringResources(resource).some((way) => {
      const byGroup = this.#single.get(way);
      if (byGroup && (holds(byGroup.get(group), verb, name) || holds(byGroup.get(ALL), verb, name))) return true;
      const fits = (rule: OwnedRule) => this.#spend() && rule.verb(verb) && rule.group(group) && rule.name(name);
      return this.#wildcardRules.get(way)?.some(fits) ?? false;
    });
  }

  /**
   * Returns whether a single owned rule covers a permission on a path.
   * @throws TooManyPermissions when the check exceeds its maximum number of steps.
   */
  coversPath(path: string, verb: string): boolean {
    const has = (verbs: ReadonlySet<string>) => verbs.has(verb) || verbs.has(ALL);
    const fits = (held: HeldPath | undefined) =>
      held !== undefined && (has(held.verbs) || held.wide.some((verbs) => this.#spend() && has(verbs)));
    if (fits(this.#paths.get(path))) return true;
    this.#prefixes ??= [...this.#paths.values()].filter(({ prefix }) => prefix !== undefined);
    return this.#prefixes.some((held) => this.#spend() && path.startsWith(held.prefix ?? path) && fits(held));
  }

  #spend(): true {
    if (!this.#steps.take()) throw new TooManyPermissions('the rules held are too many');
    return true;
  }
}

function holds(byVerb: ByVerb | undefined, verb: string, name: string | undefined): boolean {
  const has = (held: Held | undefined) => held && (held.all || (name !== undefined && held.names?.has(name)));
  return (byVerb && (has(byVerb.get(verb)) || has(byVerb.get(ALL)))) ?? false;
}
