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
import { entryOf } from './entry-view.js';
import { groupBy, type Need, rulesFor, withoutCovered } from './minimal-rules.js';
import type { RecordedRequest } from './recorded-request.js';
import { shown } from './shown.js';

/** A role or a binding, as manifests have it. */
export interface RoleManifest {
  readonly apiVersion: string;
  readonly kind: 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly PolicyRule[];
  readonly subjects?: readonly object[];
  readonly roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

export interface MinimalRoles {
  /** First a ClusterRole and its binding, if they are needed, then a Role and its binding for each namespace, by name. */
  readonly objects: readonly RoleManifest[];
  /** The objects as YAML documents, for `kubectl auth reconcile -f` and `server.load`. '' if no permission is needed. */
  readonly yaml: string;
}

export interface MinimalRolesOptions {
  /** The name of the roles and bindings. Default: the name of the user, with `-` for characters that names of roles cannot have. */
  readonly name?: string;
}

/** The groups to which the default roles give what nearly all users have: discovery, and reviews of themselves. */
const EVERYONE: ReadonlySet<string> = new Set([
  'system:authenticated',
  'system:unauthenticated',
  'system:serviceaccounts',
]);

/**
 * Returns the least roles with which a user may send the recorded requests, those that were refused included. It goes by what the authorizers
 * were asked: for each request, and beyond it (impersonation, escalation, binding, finalizers of owners, creation by an update), whatever
 * roles the user had when the requests were recorded. What the default roles allow all authenticated users is left out, for a user of
 * that group. A rule names objects (`resourceNames`) if every such request named one.
 *
 * A request that is refused shows only what it lacks first: record again with the roles until nothing is forbidden.
 * @param requests the log, or others with the `dialect` that names the API groups.
 * @param user the name of the user for which requests were authorized.
 * @throws Error if no request of the user is recorded; TypeError for an option that does not exist.
 */
export function minimalRoles(
  requests: Requests & { readonly dialect: Dialect },
  user: string,
  options: MinimalRolesOptions = {},
): MinimalRoles {
  refuseUnknownMembers('minimalRoles', options, ['name']);
  const { name = nameFor(user) } = options;
  if (!isRoleName(name)) throw new TypeError(`name is the name of a role, not ${shown(name)}`);
  const { dialect } = requests;
  const asked = [...requests].flatMap(neededBy).filter((attributes) => attributes.user.username === user);
  if (asked.length === 0) throw new Error(`no request of ${shown(user)} is recorded${knownUsers(requests)}`);
  const given = rulesOfEveryone(dialect);
  const needs = asked.filter((attributes) => !given(attributes)).map(needOf);
  const scopes = groupBy(withoutCovered(needs), ({ namespace }) => namespace);
  const objects = [...scopes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([namespace, ofScope]) => roleAndBinding(dialect, { name, user, namespace, rules: rulesFor(ofScope) }));
  return { objects, yaml: objects.map((object) => stringifyYaml(object)).join('---\n') };
}

/** Returns the questions to the authorizers that have to be allowed for a request to succeed. */
function neededBy(request: RecordedRequest): readonly AuthorizationAttributes[] {
  const { attributes, details, status = 0 } = entryOf(request);
  const needed = (details.checks ?? []).filter(
    ({ attributes: { verb }, decision }) =>
      // Without permission to escalate or bind, the user held what it granted, which the least roles do not contain.
      decision.decision === 'Allow' || status >= 400 || verb === 'escalate' || verb === 'bind',
  );
  return [...(attributes ? [attributes] : []), ...needed.map((check) => check.attributes)];
}

function needOf(attributes: AuthorizationAttributes): Need {
  const { verb, resourceRequest, group, resource, subresource, namespace, name, path } = attributes;
  if (!resourceRequest) return { namespace: '', verb, path };
  // Namespaces themselves are not in a namespace, though their paths name one.
  const isCluster = namespace === '*' || (group === '' && resource === 'namespaces');
  return {
    namespace: isCluster ? '' : namespace,
    verb,
    group,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    name: name === '*' ? '' : name,
  };
}

/** Makes the test of what the default roles allow to all users of a group that all users are in. */
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

function knownUsers(requests: Requests): string {
  const names = new Set([...requests].map(({ user }) => user.username));
  return names.size === 0 ? '' : `; recorded are ${[...names].slice(0, 10).map(shown).join(', ')}`;
}
