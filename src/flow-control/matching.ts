import type { UserInfo } from '../meta/user-info.js';
import type { FlowSchema } from '../resources/flowcontrol/flowcontrol-v1.types.js';

type Rule = NonNullable<FlowSchema['spec']['rules']>[number];
type Subject = NonNullable<Rule['subjects']>[number];
type ResourceRule = NonNullable<Rule['resourceRules']>[number];

/** The attributes of a request, besides its user, that flow schemas match on. Strings are '' if they do not apply. */
export interface RequestFacts {
  readonly resourceRequest: boolean;
  /** The API verb for resources, or the lower-case HTTP method for other paths. */
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

const ALL = '*';
const ACCOUNT = 'system:serviceaccount:';

/** Returns whether a rule applies to a user. */
export function matchesUser({ subjects = [] }: Rule, user: UserInfo): boolean {
  for (const subject of subjects) if (isSubject(subject, user)) return true;
  return false;
}

/** Returns whether the resource rules or non-resource rules of a rule match a request. The rule's subjects are not checked. */
export function matchesRequest({ resourceRules = [], nonResourceRules = [] }: Rule, info: RequestFacts): boolean {
  if (info.resourceRequest) {
    for (const rule of resourceRules) if (matchesResource(rule, info)) return true;
  } else {
    for (const { verbs = [], nonResourceURLs = [] } of nonResourceRules)
      if (includes(verbs, info.verb)) for (const path of nonResourceURLs) if (matchesPath(path, info.path)) return true;
  }
  return false;
}

function isSubject({ kind, user, group, serviceAccount }: Subject, { username, groups = [] }: UserInfo): boolean {
  switch (kind) {
    case 'User':
      return user !== undefined && (user.name === ALL || user.name === username);
    case 'Group':
      return group !== undefined && (group.name === ALL || groups.includes(group.name));
    case 'ServiceAccount': {
      if (serviceAccount === undefined || !username.startsWith(ACCOUNT)) return false;
      const { namespace, name } = serviceAccount;
      const inNamespace = `${ACCOUNT}${namespace}:`;
      return name === ALL ? username.startsWith(inNamespace) : username === inNamespace + name;
    }
    default:
      return false;
  }
}

function matchesResource(
  { verbs = [], resources = [], apiGroups = [], clusterScope = false, namespaces }: ResourceRule,
  info: RequestFacts,
): boolean {
  const { resource, subresource, namespace } = info;
  return (
    includes(verbs, info.verb) &&
    includes(resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    includes(apiGroups, info.group) &&
    (namespace === '' ? clusterScope : includes(namespaces ?? [], namespace))
  );
}

/**
 * Returns whether the path of a rule matches a path. The rule path `/a` also matches all paths below `/a`, and `/a/*` matches only those.
 */
function matchesPath(rule: string, path: string): boolean {
  if (rule === ALL || rule === path) return true;
  const prefix = rule.endsWith(ALL) ? rule.slice(0, -1) : rule;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** Returns whether a list contains a string. `*` matches every string, but only as the single element, as validation requires. */
function includes(list: readonly string[], text: string): boolean {
  return (list.length === 1 && list[0] === ALL) || list.includes(text);
}
