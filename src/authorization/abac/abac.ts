import type { UserInfo } from '../../meta/user-info.js';
import type { AuthorizationAttributes, AuthorizerFactory, Decision, UserRules } from '../authorizer.js';
import { urlCovers } from '../path-patterns.js';
import { type AbacPolicy, parseAbacPolicies } from './abac-policy.js';

const NAME = 'abac';
const READING = ['get', 'list', 'watch'];
const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: 'No policy matched.', authorizer: NAME });

/**
 * Allows what the lines of a policy file allow (spec 12.2, 12.11).
 * @param text the file's content, which is read once; `path` names it in messages.
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
    const found = bySubject.get(key)?.find(([, policy]) => policyAllows(policy, attributes));
    if (found && (!first || found[0] < first[0])) first = found;
  }
  return first?.[1];
}

/** Returns the policies that can apply to a caller, in the file's order. */
function policiesOf(bySubject: PoliciesBySubject, user: UserInfo): AbacPolicy[] {
  const lines = keysOf(user).flatMap((key) => bySubject.get(key) ?? []);
  return lines.sort(([a], [b]) => a - b).map(([, policy]) => policy);
}

/** Returns whether a policy allows a request. Subresources are not distinguished. */
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
