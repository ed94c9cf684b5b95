import { parseServiceAccount } from '../../authentication/service-account-user.js';
import type { AuthorizationAttributes, PolicyRule } from '../../authorization/authorizer.js';
import type { Dialect } from '../../meta/dialect.js';
import type { UserInfo } from '../../meta/user-info.js';
import { defaultPolicy } from '../../plugins/default-roles/default-policy.js';
import { rbacGroup } from '../../plugins/rbac/rbac-objects.js';
import { ruleAllows } from '../../plugins/rbac/rule-matching.js';
import { stringifyYaml } from '../../serialization/yaml/encode.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import type { Requests } from './assertions.js';
import { entryOf, requestsOf } from './entry-view.js';
import type { RecordedRequest } from './recorded-request.js';
import { printable } from './shown.js';

/** A role or a binding in the form of a manifest. */
export interface RoleManifest {
  /** The API version of roles in the dialect of the server. */
  readonly apiVersion: string;
  /** The kind of the object. */
  readonly kind: 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding';
  /** The name, and the namespace of a Role or RoleBinding. */
  readonly metadata: { readonly name: string; readonly namespace?: string };
  /** The permissions, for a role. */
  readonly rules?: readonly PolicyRule[];
  /** The users, groups and accounts, for a binding. */
  readonly subjects?: readonly object[];
  /** The role that a binding grants. */
  readonly roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

/** The result of {@link minimalRoles}. */
export interface MinimalRoles {
  /** The manifests: first a ClusterRole and its binding, if they are needed, then a Role and its binding for each namespace, by name. */
  readonly objects: readonly RoleManifest[];
  /** The objects as YAML documents, for `kubectl auth reconcile -f` and `server.load`. '' if no permission is needed. */
  readonly yaml: string;
}

/** The options of {@link minimalRoles}. */
export interface MinimalRolesOptions {
  /** The name of the roles and bindings. Default: the name of the user, with `-` for characters that names of roles cannot have. */
  readonly name?: string;
}

/** The groups to which the default roles grant what almost all users need: discovery, and reviews of their own identity and permissions. */
const EVERYONE: ReadonlySet<string> = new Set([
  'system:authenticated',
  'system:unauthenticated',
  'system:serviceaccounts',
]);

/**
 * Returns the smallest roles with which a user may send the recorded requests, including those that were refused. The roles follow from the
 * attributes that the authorizers received for each request and for its additional checks (impersonation, escalation, binding, finalizers
 * of owners, creation by an update); the roles of the user during the recording do not matter. Permissions that the default roles grant to
 * all authenticated users are left out if the user is in that group. A rule has `resourceNames` if every request that needs the rule named
 * an object.
 *
 * A refused request shows only the first permission that it lacks: record again with the roles until nothing is forbidden.
 * @param requests the log, or other requests with the `dialect` that names the API groups.
 * @param user the name of the user for which requests were authorized.
 * @throws Error if no request of the user is recorded; TypeError for an option that does not exist.
 */
export function minimalRoles(
  requests: Requests & { readonly dialect: Dialect },
  user: string,
  options: MinimalRolesOptions = {},
): MinimalRoles {
  const all = requestsOf(requests);
  if (typeof user !== 'string') throw new TypeError('minimalRoles: user must be the name of a user');
  refuseUnknownMembers('minimalRoles', options, ['name']);
  const { name = nameFor(user) } = options;
  if (!isRoleName(name)) throw new TypeError(`name must be the name of a role, not ${printable(name)}`);
  const { dialect } = requests;
  const asked = all.flatMap(neededBy).filter((attributes) => attributes.user.username === user);
  if (asked.length === 0) throw new Error(`no request of ${printable(user)} is recorded${listUsers(requests)}`);
  const isAllowedToEveryone = rulesOfEveryone(dialect);
  const needs = asked.filter((attributes) => !isAllowedToEveryone(attributes)).map(needOf);
  const scopes = groupBy(withoutCovered(needs), ({ namespace }) => namespace);
  const objects = [...scopes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([namespace, ofScope]) => roleAndBinding(dialect, { name, user, namespace, rules: rulesFor(ofScope) }));
  return { objects, yaml: objects.map((object) => stringifyYaml(object)).join('---\n') };
}

/** Returns the attributes that the authorizers must allow for a request to succeed. */
function neededBy(request: RecordedRequest): readonly AuthorizationAttributes[] {
  const { attributes, details, status = 0 } = entryOf(request);
  const needed = (details.checks ?? []).filter(
    ({ attributes: { verb }, decision }) =>
      // A user without `escalate` or `bind` may still grant permissions that the user already has. The minimal roles do not contain the
      // granted permissions, so the user needs the verb even if it was denied during the recording.
      decision.decision === 'Allow' || status >= 400 || verb === 'escalate' || verb === 'bind',
  );
  return [...(attributes ? [attributes] : []), ...needed.map((check) => check.attributes)];
}

function needOf(attributes: AuthorizationAttributes): Need {
  const { verb, resourceRequest, group, resource, subresource, namespace, name, path } = attributes;
  if (!resourceRequest) return { namespace: '', verb, path };
  // A Namespace is cluster-scoped, so it needs a ClusterRole, although the attributes of a request for a Namespace contain a namespace.
  const isCluster = namespace === '*' || (group === '' && resource === 'namespaces');
  return {
    namespace: isCluster ? '' : namespace,
    verb,
    group,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    name: name === '*' ? '' : name,
  };
}

/**
 * Returns a function that tests whether the default roles grant a permission to all authenticated, unauthenticated or service account
 * users.
 */
function rulesOfEveryone(dialect: Dialect): (attributes: AuthorizationAttributes) => boolean {
  const { clusterRoles, clusterRoleBindings } = defaultPolicy(dialect);
  const grants = clusterRoleBindings.flatMap(({ subjects = [], roleRef }) => {
    const groups = subjects.filter(({ kind, name }) => kind === 'Group' && EVERYONE.has(name)).map(({ name }) => name);
    const rules = clusterRoles.find(({ metadata }) => metadata.name === roleRef.name)?.rules ?? [];
    return groups.length > 0 ? [{ groups, rules }] : [];
  });
  return (attributes) =>
    grants.some(
      ({ groups, rules }) =>
        groups.some((group) => attributes.user.groups?.includes(group)) &&
        rules.some((rule) => ruleAllows(rule, attributes)),
    );
}

function roleAndBinding(
  dialect: Dialect,
  { name, user, namespace, rules }: { name: string; user: string; namespace: string; rules: readonly PolicyRule[] },
): readonly RoleManifest[] {
  const apiGroup = rbacGroup(dialect);
  const apiVersion = `${apiGroup}/v1`;
  const metadata = namespace === '' ? { name } : { name, namespace };
  const kind = namespace === '' ? 'ClusterRole' : 'Role';
  const account = parseServiceAccount(user);
  const subject = account
    ? { kind: 'ServiceAccount', name: account.name, namespace: account.namespace }
    : { apiGroup, kind: 'User', name: user };
  return [
    { apiVersion, kind, metadata, rules },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      subjects: [subject],
      roleRef: { apiGroup, kind, name },
    },
  ];
}

const isRoleName = (name: string) => name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name);

const nameFor = (user: UserInfo['username']) => (isRoleName(user) ? user : user.replace(/[/%.]/g, '-') || 'nameless');

function listUsers(requests: Requests): string {
  const names = new Set([...requests].map(({ user }) => user.username));
  return names.size === 0 ? '' : `; recorded are ${[...names].slice(0, 10).map(printable).join(', ')}`;
}

/** One permission: a verb on a path, or a verb on a resource. */
type Need = {
  /** The namespace; '' for the whole cluster. */
  readonly namespace: string;
  readonly verb: string;
} & (
  | { readonly path: string }
  | {
      readonly group: string;
      /** The resource, with its subresource if there is one: `pods/status`. */
      readonly resource: string;
      /** The name of the object; '' for all objects. */
      readonly name: string;
    }
);

/** The permission to use one verb on a resource, for all its objects or for named ones. */
interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** The names of the objects; undefined for all objects. */
  readonly names: readonly string[] | undefined;
}

/** Returns the permissions, except permissions in a namespace that a permission for the whole cluster covers. */
function withoutCovered(needs: readonly Need[]): readonly Need[] {
  const cluster = new Set(needs.filter(({ namespace }) => namespace === '').map((need) => keyOf(need)));
  return needs.filter(
    (need) =>
      need.namespace === '' ||
      !('name' in need) ||
      !(cluster.has(keyOf({ ...need, name: '' })) || cluster.has(keyOf(need))),
  );
}

const keyOf = (need: Need) =>
  'path' in need ? `${need.verb}\n${need.path}` : [need.verb, need.group, need.resource, need.name].join('\n');

/** Returns the fewest rules that grant exactly the given permissions, in a fixed order. */
function rulesFor(needs: readonly Need[]): readonly PolicyRule[] {
  const onResources = needs.filter((need) => 'name' in need);
  const onPaths = needs.filter((need) => 'path' in need);
  // First, the verbs for the same objects of a resource become one rule. Then, resources with the same verbs and objects are joined.
  const byResource = joinGrants(grantsFor(onResources), ({ group, resource, names }) => [group, resource, names]);
  const rules = joinGrants(byResource, ({ group, verbs, names }) => [group, verbs, names]).map(
    ({ group, resources, verbs, names }): PolicyRule => ({
      apiGroups: [group],
      resources,
      ...(names === undefined ? {} : { resourceNames: names }),
      verbs,
    }),
  );
  const paths = [...groupBy(onPaths, ({ path }) => path)].map(([path, same]) => ({
    path,
    verbs: sortUnique(same.map(({ verb }) => verb)),
  }));
  const ofPaths = [...groupBy(paths, ({ verbs }) => JSON.stringify(verbs)).values()].map(
    (same): PolicyRule => ({ nonResourceURLs: sortUnique(same.map(({ path }) => path)), verbs: same[0]?.verbs ?? [] }),
  );
  return [...rules, ...ofPaths].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Returns a grant for each verb on a resource. The grant is limited to named objects if every permission for the verb names an object. */
function grantsFor(needs: readonly Extract<Need, { readonly name: string }>[]): readonly Grant[] {
  return [...groupBy(needs, ({ group, resource, verb }) => [group, resource, verb].join('\n')).values()].flatMap(
    (same) => {
      const [first] = same;
      if (!first) return [];
      const names = same.some(({ name }) => name === '') ? undefined : sortUnique(same.map(({ name }) => name));
      return [{ group: first.group, resource: first.resource, verb: first.verb, names }];
    },
  );
}

interface Joined {
  readonly group: string;
  readonly resource: string;
  readonly resources: readonly string[];
  readonly verb: string;
  readonly verbs: readonly string[];
  readonly names: readonly string[] | undefined;
}

/** Joins grants for which `key` returns equal values into one grant with all their verbs and resources. */
function joinGrants(grants: readonly (Grant | Joined)[], key: (grant: Joined) => unknown): readonly Joined[] {
  const all = grants.map((grant): Joined => ({ resources: [grant.resource], verbs: [grant.verb], ...grant }));
  return [...groupBy(all, (grant) => JSON.stringify(key(grant))).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const resources = sortUnique(same.flatMap((each) => each.resources));
    return [{ ...first, resources, verbs: sortUnique(same.flatMap((each) => each.verbs)) }];
  });
}

const sortUnique = (texts: readonly string[]) => [...new Set(texts)].sort();

/** Groups values by their key, in the order in which the keys first occur. */
function groupBy<T>(values: readonly T[], key: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group) group.push(value);
    else groups.set(key(value), [value]);
  }
  return groups;
}
