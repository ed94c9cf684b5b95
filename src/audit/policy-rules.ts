import type { UserInfo } from '../meta/user-info.js';
import type { AuditLevel, AuditStage } from './audit-event.js';
import type { AuditPolicy, AuditRule } from './audit-policy.js';

/** The attributes of a request that rules match on. Strings are '' if they do not apply. */
export interface AuditedRequest {
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The percent-decoded path of the URL. */
  readonly path: string;
}

/** What is recorded of a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Returns what is recorded of a request, according to the first rule that matches (spec 23.2). */
export type DecideAudit = (
  request: AuditedRequest,
  /** Undefined if the caller is not known; rules about users do not match then. */
  user: UserInfo | undefined,
) => AuditDecision;

/** Makes the decision function of a validated policy. */
export function policyDecisions({ rules, omitStages = [], omitManagedFields = false }: AuditPolicy): DecideAudit {
  const decisions = rules.map((rule) => ({
    matches: ruleMatcher(rule),
    decision: {
      level: rule.level,
      omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const unmatched: AuditDecision = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  const [first] = decisions;
  if (first?.matches === everything) return () => first.decision;
  return (request, user) => {
    for (const { matches, decision } of decisions) if (matches(request, user)) return decision;
    return unmatched;
  };
}

type Matcher = (request: AuditedRequest, user: UserInfo | undefined) => boolean;
type ResourceMatcher = (request: AuditedRequest) => boolean;
const everything: Matcher = () => true;

function ruleMatcher(rule: AuditRule): Matcher {
  const checks: Matcher[] = [];
  const users = setOf(rule.users);
  const userGroups = setOf(rule.userGroups);
  const verbs = setOf(rule.verbs);
  if (users) checks.push((_, user) => user !== undefined && users.has(user.username));
  if (userGroups) checks.push((_, user) => user?.groups?.some((group) => userGroups.has(group)) ?? false);
  if (verbs) checks.push(({ verb }) => verbs.has(verb));
  const { resources = [], nonResourceURLs = [] } = rule;
  const namespaces = setOf(rule.namespaces);
  if (namespaces || resources.length > 0) {
    checks.push(({ resourceRequest }) => resourceRequest);
    if (namespaces) checks.push(({ namespace }) => namespaces.has(namespace));
    if (resources.length > 0) {
      const matchers = resources.map(resourceMatcher);
      checks.push((request) => matchers.some((matches) => matches(request)));
    }
  } else if (nonResourceURLs.length > 0)
    checks.push(({ resourceRequest, path }) => !resourceRequest && nonResourceURLs.some((url) => isPath(path, url)));
  const [first = everything] = checks;
  return checks.length < 2 ? first : (request, user) => checks.every((check) => check(request, user));
}

function setOf(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return names && names.length > 0 ? new Set(names) : undefined;
}

function resourceMatcher({
  group = '',
  resources = [],
  resourceNames,
}: NonNullable<AuditRule['resources']>[number]): ResourceMatcher {
  const names = setOf(resourceNames);
  const all = resources.length === 0;
  const known = new Set(resources);
  return (request) => {
    if (request.group !== group) return false;
    if (all) return true;
    if (names && !names.has(request.name)) return false;
    const { resource, subresource } = request;
    return (
      known.has('*') ||
      known.has(`${resource}/*`) ||
      known.has(subresource === '' ? resource : `${resource}/${subresource}`) ||
      (subresource !== '' && known.has(`*/${subresource}`))
    );
  };
}

function isPath(path: string, url: string): boolean {
  if (url === '*' || url === path) return true;
  let end = url.length;
  while (url[end - 1] === '*') end--;
  return end < url.length && path.startsWith(url.slice(0, end));
}
