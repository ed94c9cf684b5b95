import { equalJson } from '../../json/equal.js';
import { isNotFound } from '../../meta/api-error.js';
import { clusterRole } from '../../resources/rbac/index.js';
import type { AggregationRule, ClusterRole, PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import { labelSelectorOf } from '../../selectors/label-selector-object.js';
import { type ControllerDefinition, listerOf } from '../controller.js';
import { type Seed, seedsOf } from '../seed.js';
import { unless } from '../unless.js';

const NAME = 'clusterrole-aggregation-controller';

/** Fills aggregated cluster roles with the rules of the roles that their selectors match (spec 16.9). */
export const clusterRoleAggregation: ControllerDefinition = {
  name: NAME,
  switchedBy: ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
  seeds(host) {
    const roles = [...listerOf(host, clusterRole).list()];
    const objects: (Seed & Pick<ClusterRole, 'rules'>)[] = [];
    for (const role of inOrder(roles.filter(isAggregated))) {
      const rules = aggregatedRules(role, roles);
      // Roles that select this one come later, and take over the rules that it has gathered.
      roles[roles.indexOf(role)] = { ...role, rules };
      if (rules.length > 0) objects.push({ metadata: { name: role.metadata.name ?? '' }, rules });
    }
    return [seedsOf(clusterRole, objects, { manager: NAME, applied: true })];
  },
  follow({ host, queue }) {
    const roles = listerOf(host, clusterRole);
    for (const role of inOrder(roles.list().filter(isAggregated))) queue.add(role.metadata.name ?? '');
    return roles.onChange((next, previous) => {
      if (next && isAggregated(next)) queue.add(next.metadata.name ?? '');
      for (const role of roles.byIndex(aggregatedKeys, AGGREGATED)) {
        if ((next && picks(role, next)) || (previous && picks(role, previous))) queue.add(role.metadata.name ?? '');
      }
    });
  },
  async reconcile(name, { host, client }) {
    const roles = listerOf(host, clusterRole);
    const role = roles.get('', name);
    if (!role || !isAggregated(role)) return;
    const rules = aggregatedRules(role, roles.list());
    if (equalJson(rules, role.rules ?? [])) return;
    // Applying without `rules` removes the rules that this controller applied before.
    const applied = { metadata: { name }, ...(rules.length === 0 ? {} : { rules }) };
    await client.apply(clusterRole, applied, { fieldManager: NAME, force: true }).catch(unless(isNotFound));
  },
};

const isAggregated = ({ aggregationRule }: ClusterRole) => aggregationRule !== undefined && aggregationRule !== null;
const AGGREGATED = 'aggregated';
const aggregatedKeys = (role: ClusterRole) => (isAggregated(role) ? [AGGREGATED] : []);

// Compiled selectors by the rule that contains them. Stored rules are frozen, and servers share the rules of the default roles, so these are
// compiled only once.
const compiled = new WeakMap<AggregationRule, readonly LabelSelector[]>();

/** Returns the compiled selectors of a role. @throws ParseError for an invalid selector. */
function selectorsOf({ aggregationRule: rule }: ClusterRole): readonly LabelSelector[] {
  if (!rule) return [];
  let selectors = compiled.get(rule);
  if (!selectors) {
    selectors = (rule.clusterRoleSelectors ?? []).map((selector) => labelSelectorOf(selector));
    compiled.set(rule, selectors);
  }
  return selectors;
}

// The maximum number of roles that are sorted. If there are more, they are reconciled in any order. The final rules are the same.
const MOST_ORDERED = 100;

/**
 * Sorts roles so that each aggregated role comes after the roles that it selects. In this order it is enough to reconcile every role once.
 */
function inOrder(roles: readonly ClusterRole[]): Iterable<ClusterRole> {
  if (roles.length > MOST_ORDERED) return roles;
  const done = new Set<ClusterRole>();
  const visited = new Set<ClusterRole>();
  const visit = (role: ClusterRole) => {
    if (visited.has(role)) return;
    visited.add(role);
    for (const other of roles) if (picks(role, other)) visit(other);
    done.add(role);
  };
  for (const role of roles) visit(role);
  return done;
}

/** Returns whether the selectors of a role match another role. */
function picks(role: ClusterRole, { metadata }: ClusterRole): boolean {
  return selectorsOf(role).some((selector) => selector.matches(metadata.labels));
}

/** Returns the rules of all selected roles without duplicates, ordered by selector and then by role name. */
function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): PolicyRule[] {
  const found = new Map<string, PolicyRule>();
  for (const selector of selectorsOf(role)) {
    for (const other of all) {
      if (other.metadata.name === role.metadata.name || !selector.matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) {
        const identity = identityOf(rule);
        if (!found.has(identity)) found.set(identity, rule);
      }
    }
  }
  return [...found.values()];
}

// The JSON form of each rule. It is cached per rule object, because stored rules are frozen and servers share the rules of the default
// roles.
const identities = new WeakMap<PolicyRule, string>();

function identityOf(rule: PolicyRule): string {
  let identity = identities.get(rule);
  if (identity === undefined) {
    const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    identity = JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
    identities.set(rule, identity);
  }
  return identity;
}
