import { quote } from '../../values/quote.js';
import type { AuthorizationAttributes } from '../authorizer.js';
import type { PolicyRule } from './policy-rule.js';
import type { RoleObject } from './rbac-objects.js';

const ALL = '*';

/** Whether a rule allows a request (spec 13.3). The version of the API does not matter. */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  const { verb, resourceRequest, resource, subresource, path } = attributes;
  if (!has(rule.verbs, verb)) return false;
  if (!resourceRequest) return rule.nonResourceURLs?.some((url) => urlCovers(url, path)) ?? false;
  if (!groupAndNameMatch(rule, attributes)) return false;
  const wanted = combined(resource, subresource);
  return (
    rule.resources?.some(
      (own) => own === ALL || own === wanted || (subresource !== '' && own === `*/${subresource}`),
    ) ?? false
  );
}

/**
 * What of a request a rule does not cover, as a text each; [] for a rule that allows it, undefined for one that is not about
 * requests of its sort.
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
    : [`resource ${quote(combined(resource, subresource))}`];
  const { resourceNames } = rule;
  const fitsName = resourceNames == null || resourceNames.length === 0 || resourceNames.includes(name);
  return [...missesVerb, ...missesGroup, ...missesResource, ...(fitsName ? [] : [`name ${quote(name)}`])];
}

/** Whether the path of a rule, which `*` may end, covers a path or another rule's. */
export function urlCovers(url: string, path: string): boolean {
  const prefix = url === path ? undefined : prefixOf(url);
  return url === path || (prefix !== undefined && path.startsWith(prefix));
}

/** What the paths begin with that a rule's path covers; undefined when no `*` ends it. */
export function prefixOf(url: string): string | undefined {
  let end = url.length;
  while (end > 0 && url[end - 1] === ALL) end--;
  return end === url.length ? undefined : url.slice(0, end);
}

const combined = (resource: string, subresource: string) =>
  subresource === '' ? resource : `${resource}/${subresource}`;

function has(list: readonly string[] | null | undefined, value: string): boolean {
  return list != null && (list.includes(value) || list.includes(ALL));
}

function groupAndNameMatch(
  { apiGroups, resourceNames }: PolicyRule,
  { group, name }: AuthorizationAttributes,
): boolean {
  return has(apiGroups, group) && (resourceNames == null || resourceNames.length === 0 || resourceNames.includes(name));
}

/** The rules of a role about one resource, found by the name of the object. */
class NamedRules {
  readonly #forAll: PolicyRule[] = [];
  readonly #byName = new Map<string, PolicyRule[]>();

  add(rule: PolicyRule): void {
    if (rule.resourceNames == null || rule.resourceNames.length === 0) this.#forAll.push(rule);
    else for (const name of new Set(rule.resourceNames)) addTo(this.#byName, name, rule);
  }

  find({ name, verb, group }: AuthorizationAttributes): PolicyRule | undefined {
    const fits = (rule: PolicyRule) => has(rule.verbs, verb) && has(rule.apiGroups, group);
    return this.#forAll.find(fits) ?? this.#byName.get(name)?.find(fits);
  }
}

/** The rules of a role, found by the resource they are about. */
interface RuleTable {
  readonly byResource: ReadonlyMap<string, NamedRules>;
  readonly paths: readonly PolicyRule[];
}

// Roles are frozen: a changed one is another object.
const tables = new WeakMap<RoleObject, RuleTable>();

function tableOf(role: RoleObject): RuleTable {
  let table = tables.get(role);
  if (!table) tables.set(role, (table = makeTable(role.rules ?? [])));
  return table;
}

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
 * A rule of a role that allows a request: as {@link ruleAllows} of its rules, without looking at those about other resources or names.
 */
export function findAllowingRule(role: RoleObject, attributes: AuthorizationAttributes): PolicyRule | undefined {
  const { byResource, paths } = tableOf(role);
  if (!attributes.resourceRequest) return paths.find((rule) => ruleAllows(rule, attributes));
  const { resource, subresource } = attributes;
  return (
    byResource.get(combined(resource, subresource))?.find(attributes) ??
    (subresource === '' ? undefined : byResource.get(`*/${subresource}`)?.find(attributes)) ??
    byResource.get(ALL)?.find(attributes)
  );
}
