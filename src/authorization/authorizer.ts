import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';
import type { SelectorRequirements } from './selector-attributes.js';

/**
 * The action that a request needs permission for (spec 12.1). Strings are '' where they do not apply; selectors are present only with the
 * gate AuthorizeWithSelectors.
 */
export interface AuthorizationAttributes extends SelectorRequirements {
  /** The user who needs the permission. */
  readonly user: UserInfo;
  /** The API verb for resources, or the lower-case HTTP method for other paths. */
  readonly verb: string;
  /** Whether the request is for a resource rather than another path. */
  readonly resourceRequest: boolean;
  /** The full API group; '' also for the core group. */
  readonly group: string;
  /** The API version of the resource; '' for paths outside of the API. */
  readonly version: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** The subresource; '' for the resource itself. */
  readonly subresource: string;
  /** The namespace; '' for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** The name of the object; '' for requests about a collection. */
  readonly name: string;
  /** The URL path. */
  readonly path: string;
}

/** The part of an authorizer's policy that allowed a request. */
export interface Grant {
  /** The rule, or the policy line, that matched. */
  readonly rule: object;
  /** The binding, such as `ClusterRoleBinding "x"`; absent when the rule does not come from a binding. */
  readonly binding?: string;
  /** The role, such as `ClusterRole "x"`. */
  readonly role?: string;
  /** The subject of the binding that matches the user, such as `Group "x"`. */
  readonly subject?: string;
}

/** The decision of an authorizer about a request. */
export type Decision =
  | { readonly decision: 'Allow'; readonly reason: string; readonly authorizer?: string; readonly grant?: Grant }
  | {
      readonly decision: 'Deny' | 'NoOpinion';
      readonly reason: string;
      readonly error?: Error;
      readonly authorizer?: string;
    };

/**
 * A rule of a role, with the members that the API defines (spec 13.1). Rules are also read before they are validated, so readers treat a
 * null list as an empty one.
 */
export interface PolicyRule {
  /** The verbs that the rule allows, such as `get`; `*` allows all. */
  readonly verbs: readonly string[];
  /** The API groups; '' is the core group, `*` matches all groups. */
  readonly apiGroups?: readonly string[];
  /** The resources, such as `pods` or `pods/log`; `*` matches all. */
  readonly resources?: readonly string[];
  /** The names of the objects. Default: all objects. */
  readonly resourceNames?: readonly string[];
  /** The paths outside of the API, such as `/healthz`; a `*` at the end matches any suffix. */
  readonly nonResourceURLs?: readonly string[];
}

/** The permissions of a user in a namespace, as far as an authorizer can list them (spec 12.8). */
export interface UserRules {
  /** Rules about resources, in the authorizer's order. `nonResourceURLs` of these rules is ignored. */
  readonly resourceRules: readonly PolicyRule[];
  /** Rules about URL paths. `resources` of these rules is ignored. */
  readonly nonResourceRules: readonly PolicyRule[];
  /** Whether the user may have more permissions than the lists contain. */
  readonly incomplete: boolean;
  /** The error because of which the lists are incomplete. */
  readonly error?: Error;
}

export const NO_RULES: UserRules = Object.freeze({ resourceRules: [], nonResourceRules: [], incomplete: false });

/** An explanation of why an authorizer did not allow a request, as lines of text for an operator. */
export interface Consideration {
  /** The parts of the authorizer's policy that apply to the user. */
  readonly lookedAt: readonly string[];
  /** The parts of the authorizer's policy that came nearest to allowing the request, the nearest first. */
  readonly nearest: readonly string[];
}

/** The decision of one authorizer about a request. If the authorizer did not allow the request, `lookedAt` and `nearest` explain why. */
export interface Opinion extends Consideration {
  /** The name of the authorizer. */
  readonly authorizer: string;
  /** The decision of the authorizer. */
  readonly decision: Decision['decision'];
  /** The reason of the decision; '' when the authorizer gave none. */
  readonly reason: string;
}

/** Decides whether requests are allowed. An authorizer must not throw: a failure is NoOpinion with an error. */
export interface Authorizer {
  /** The name of the authorizer, unique in a server. */
  readonly name: string;
  /**
   * The names of the authorizers that this authorizer contains, if they matter to the server: if `rbac` is among them, the server creates
   * the default roles; if `always-allow` is, anonymous requests are off by default. Default: none.
   */
  readonly includes?: readonly string[];
  /** Decides about a request. */
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
  /** Lists the permissions of a user. Absent when the authorizer has nothing to list. */
  rulesFor?(user: UserInfo, namespace: string): UserRules | Promise<UserRules>;
  /**
   * Explains why a request is not allowed. It may be slow, because it is called only when an operator requests an explanation. Absent when
   * the reason of the decision says everything.
   */
  explain?(attributes: AuthorizationAttributes): Consideration;
}

/** Creates an authorizer for one server when the server is built. */
export type AuthorizerFactory = (host: Host) => Authorizer;
