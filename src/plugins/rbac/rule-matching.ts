import type { AuthorizationAttributes } from '../../authorization/authorizer.js';
import { urlCovers } from '../../authorization/path-patterns.js';
import type { PolicyRule, Role } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';

const ALL = '*';

/** Returns whether a rule allows a request (spec 13.3). The API version of the request does not matter. */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  const { verb, resourceRequest, group, resource, subresource, name, path } = attributes;
  const { resourceNames } = rule;
  if (!has(rule.verbs, verb)) return false;
  if (!resourceRequest) return rule.nonResourceURLs?.some((url) => urlCovers(url, path)) ?? false;
  if (!has(rule.apiGroups, group)) return false;
  if (resourceNames != null && resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  const requested = combineNames(resource, subresource);
  return (
    rule.resources?.some(
      (own) => own === ALL || own === requested || (subresource !== '' && own === `*/${subresource}`),
    ) ?? false
  );
}

/**
 * Returns a description of each attribute of a request (verb, group, resource, name, path) that a rule does not cover; [] for a rule that
 * allows the request. The result is undefined when the rule is about resources and the request is for a path, or the reverse.
 */
export function ruleMisses(rule: PolicyRule, attributes: AuthorizationAttributes): readonly string[] | undefined {
  const { verb, resourceRequest, group, resource, subresource, name, path } = attributes;
  const list = resourceRequest ? rule.resources : rule.nonResourceURLs;
  if ((list?.length ?? 0) === 0) return undefined;
  const missesVerb = has(rule.verbs, verb) ? [] : [`verb ${quote(verb)}`];
  if (!resourceRequest)
    return [
      ...missesVerb,
      ...(rule.nonResourceURLs?.some((url) => urlCovers(url, path)) ? [] : [`path ${quote(path)}`]),
    ];
  const missesGroup = has(rule.apiGroups, group) ? [] : [`API group ${quote(group)}`];
  const missesResource = ruleAllows({ ...rule, verbs: [ALL], apiGroups: [ALL], resourceNames: [] }, attributes)
    ? []
    : [`resource ${quote(combineNames(resource, subresource))}`];
  const { resourceNames } = rule;
  const fitsName = resourceNames == null || resourceNames.length === 0 || resourceNames.includes(name);
  return [...missesVerb, ...missesGroup, ...missesResource, ...(fitsName ? [] : [`name ${quote(name)}`])];
}

const combineNames = (resource: string, subresource: string) =>
  subresource === '' ? resource : `${resource}/${subresource}`;

function has(list: readonly string[] | null | undefined, value: string): boolean {
  return list != null && (list.includes(value) || list.includes(ALL));
}

/** The rules of a role that have one entry of `resources` in common, indexed by resource name. */
class NamedRules {
  readonly #unnamedRules: PolicyRule[] = [];
  readonly #byName = new Map<string, PolicyRule[]>();

  add(rule: PolicyRule): void {
    if (rule.resourceNames == null || rule.resourceNames.length === 0) this.#unnamedRules.push(rule);
    else for (const name of new Set(rule.resourceNames)) addTo(this.#byName, name, rule);
  }

  find({ name, verb, group }: AuthorizationAttributes): PolicyRule | undefined {
    const fits = (rule: PolicyRule) => has(rule.verbs, verb) && has(rule.apiGroups, group);
    return this.#unnamedRules.find(fits) ?? this.#byName.get(name)?.find(fits);
  }
}

/** The rules of a role, indexed by the entries of `resources`. */
interface RuleTable {
  readonly byResource: ReadonlyMap<string, NamedRules>;
  readonly paths: readonly PolicyRule[];
}

// Tables by role. Roles are frozen, so a changed role is a different object and the cached table remains correct.
const tables = new WeakMap<Role, RuleTable>();

function makeTable(rules: readonly PolicyRule[]): RuleTable {
  const byResource = new Map<string, NamedRules>();
  for (const rule of rules) {
    for (const resource of new Set(rule.resources)) {
      let same = byResource.get(resource);
      if (!same) byResource.set(resource, (same = new NamedRules()));
      same.add(rule);
    }
  }
  return { byResource, paths: rules.filter(({ nonResourceURLs }) => (nonResourceURLs?.length ?? 0) > 0) };
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const same = map.get(key);
  if (same) same.push(value);
  else map.set(key, [value]);
}

/**
 * Returns a rule of a role that allows a request, if there is one. The result is the same as if {@link ruleAllows} were called for every
 * rule, but rules about other resources or names are not checked.
 */
export function findAllowingRule(role: Role, attributes: AuthorizationAttributes): PolicyRule | undefined {
  let table = tables.get(role);
  if (!table) tables.set(role, (table = makeTable(role.rules ?? [])));
  const { byResource, paths } = table;
  if (!attributes.resourceRequest) return paths.find((rule) => ruleAllows(rule, attributes));
  const { resource, subresource } = attributes;
  return (
    byResource.get(combineNames(resource, subresource))?.find(attributes) ??
    (subresource === '' ? undefined : byResource.get(`*/${subresource}`)?.find(attributes)) ??
    byResource.get(ALL)?.find(attributes)
  );
}
