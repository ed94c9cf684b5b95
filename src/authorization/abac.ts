import type { Dialect } from '../meta/dialect.js';
import type { UserInfo } from '../meta/user-info.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import type { AuthorizationAttributes, AuthorizerFactory, Decision, UserRules } from './authorizer.js';
import { urlCovers } from './path-patterns.js';

const NAME = 'abac';
const READING = ['get', 'list', 'watch'];
const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: 'No policy matched.', authorizer: NAME });

/**
 * Returns an authorizer that allows what the lines of a policy file allow (spec 12.2, 12.11).
 * @param text the content of the file; `path` is used only in messages.
 * @throws Error, when the server starts, for a line that is not a policy.
 */
export function abac(text: string, { path = 'policy' }: { readonly path?: string } = {}): AuthorizerFactory {
  return (host) => {
    const policies = parseAbacPolicies(text, path, host.dialect, (message) => host.log(message));
    const bySubject = indexPolicies(policies);
    return {
      name: NAME,
      authorize(attributes) {
        const rule = findAllowing(bySubject, attributes);
        return rule ? { decision: 'Allow', reason: '', authorizer: NAME, grant: { rule } } : NO_OPINION;
      },
      rulesFor: (user, namespace) => listRules(policiesOf(bySubject, user), user, namespace),
      explain: ({ user }) => {
        const own = policiesOf(bySubject, user).filter((policy) => isSubject(policy, user));
        return { lookedAt: own.map((policy) => JSON.stringify(policy, (_, value) => value || undefined)), nearest: [] };
      },
    };
  };
}

/** A policy with its position in the file. */
type Line = readonly [number, AbacPolicy];
type PoliciesBySubject = ReadonlyMap<string, readonly Line[]>;

const userKey = (name: string) => `user:${name}`;
const groupKey = (name: string) => `group:${name}`;

/** Indexes policies by the user they name, or else by the group. */
function indexPolicies(policies: readonly AbacPolicy[]): PoliciesBySubject {
  const bySubject = new Map<string, Line[]>();
  for (const [number, policy] of policies.entries()) {
    const key = policy.user === '' ? groupKey(policy.group) : userKey(policy.user);
    const same = bySubject.get(key);
    if (same) same.push([number, policy]);
    else bySubject.set(key, [[number, policy]]);
  }
  return bySubject;
}

const keysOf = ({ username, groups }: UserInfo) => [userKey(username), ...new Set(groups?.map(groupKey))];

/** Returns the first policy of the file that allows a request. Only policies about the caller are checked. */
function findAllowing(bySubject: PoliciesBySubject, attributes: AuthorizationAttributes): AbacPolicy | undefined {
  let first: Line | undefined;
  for (const key of keysOf(attributes.user)) {
    const line = bySubject.get(key)?.find(([, policy]) => policyAllows(policy, attributes));
    if (line && (!first || line[0] < first[0])) first = line;
  }
  return first?.[1];
}

/** Returns the policies that can apply to a caller, in the file's order. */
function policiesOf(bySubject: PoliciesBySubject, user: UserInfo): AbacPolicy[] {
  const lines = keysOf(user).flatMap((key) => bySubject.get(key) ?? []);
  return lines.sort(([a], [b]) => a - b).map(([, policy]) => policy);
}

/** Returns whether a policy allows a request. A policy for a resource covers the subresources, too. */
export function policyAllows(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  const { user, verb, resourceRequest, namespace, resource, group, path } = attributes;
  if (!isSubject(policy, user) || (policy.readonly && !READING.includes(verb))) return false;
  if (!resourceRequest) return urlCovers(policy.nonResourcePath, path);
  const fits = (own: string, requested: string) => own === '*' || own === requested;
  return fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group);
}

/**
 * Returns whether a policy applies to a user. When it names a user and a group, both must match; when it names neither, it applies to no
 * caller.
 */
function isSubject({ user, group }: AbacPolicy, { username, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === username) && (group === '' || (groups?.includes(group) ?? false));
}

function listRules(policies: readonly AbacPolicy[], user: UserInfo, namespace: string): UserRules {
  const own = policies.filter(
    (policy) => isSubject(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
  );
  const verbs = ({ readonly }: AbacPolicy) => (readonly ? READING : ['*']);
  return {
    resourceRules: own
      .filter(({ resource }) => resource !== '')
      .map((policy) => ({ verbs: verbs(policy), apiGroups: [policy.apiGroup], resources: [policy.resource] })),
    nonResourceRules: own
      .filter(({ nonResourcePath }) => nonResourcePath !== '')
      .map((policy) => ({ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] })),
    incomplete: false,
  };
}

/** One line of a policy file: what a user or group may do. '' matches nothing, and `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const AUTHENTICATED = 'system:authenticated';
const LINE_LIMIT = 64 * 1024;

/**
 * Reads a policy file (spec 12.11). Each line is one JSON object: either of the API version `abac.authorization.<domain>/v1beta1` (the
 * domain depends on the API dialect), or of the older form, which may lack its version or kind. Empty lines and lines that begin with `#`
 * are skipped.
 * @param path names the file in messages.
 * @param warn called once when there are lines without a version.
 * @throws Error `error reading policy file PATH, line N: …`, also for an unknown version.
 */
export function parseAbacPolicies(
  text: string,
  path: string,
  dialect: Dialect,
  warn: (message: string) => void,
): AbacPolicy[] {
  const policies: AbacPolicy[] = [];
  let unversioned = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length >= LINE_LIMIT) throw new Error(`error reading policy file ${path}: line ${index + 1} is too long`);
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    try {
      const object = parseObject(trimmed);
      policies.push(readPolicy(object, dialect));
      unversioned ||= textOf(object, 'apiVersion') === '' || textOf(object, 'kind') === '';
    } catch (error) {
      const why = messageOf(error);
      throw new Error(`error reading policy file ${path}, line ${index + 1}: ${trimmed}: ${why}`, { cause: error });
    }
  }
  if (unversioned)
    warn(
      `Policy file ${path} contained unversioned rules. See docs/admin/authorization.md#abac-mode for ABAC file format details.`,
    );
  return policies;
}

type Members = ReadonlyMap<string, unknown>;

function parseObject(text: string): Members {
  const value: unknown = JSON.parse(text);
  return membersOf(value, 'a policy');
}

function membersOf(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  return new Map(Object.entries(value));
}

function textOf(members: Members, name: string): string {
  const value = members.get(name) ?? '';
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}

function readonlyOf(members: Members): boolean {
  const value = members.get('readonly') ?? false;
  if (typeof value !== 'boolean') throw new Error('readonly must be true or false');
  return value;
}

/** Reads a policy. As in upstream, one whose kind or version is absent is of the older form, which is also called v0. */
function readPolicy(object: Members, { labelDomain }: Dialect): AbacPolicy {
  const apiVersion = textOf(object, 'apiVersion');
  const kind = textOf(object, 'kind');
  const group = `abac.authorization.${labelDomain}`;
  if (kind === 'Policy' && apiVersion === `${group}/v1beta1`) return readVersioned(object);
  if ((kind || 'Policy') === 'Policy' && (apiVersion || `${group}/v0`) === `${group}/v0`)
    return readUnversioned(object);
  throw new Error(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
}

function readVersioned(object: Members): AbacPolicy {
  const spec = membersOf(object.get('spec') ?? {}, 'spec');
  return {
    ...subjectOf(spec),
    readonly: readonlyOf(spec),
    apiGroup: textOf(spec, 'apiGroup'),
    resource: textOf(spec, 'resource'),
    namespace: textOf(spec, 'namespace'),
    nonResourcePath: textOf(spec, 'nonResourcePath'),
  };
}

/** Reads a policy of the older form. An absent field of such a policy matches everything. */
function readUnversioned(object: Members): AbacPolicy {
  const { user, group } = subjectOf(object);
  const namespace = textOf(object, 'namespace');
  const resource = textOf(object, 'resource');
  return {
    user,
    group: user === '' && group === '' ? AUTHENTICATED : group,
    readonly: readonlyOf(object),
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: resource === '' && namespace === '' ? '*' : '',
  };
}

/** Returns the user and group of a policy. A `*` matches every authenticated caller and never anonymous ones. */
function subjectOf(members: Members): Pick<AbacPolicy, 'user' | 'group'> {
  const user = textOf(members, 'user');
  const group = textOf(members, 'group');
  return user === '*' || group === '*' ? { user: '', group: AUTHENTICATED } : { user, group };
}
