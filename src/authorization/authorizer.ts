import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';
import type { PolicyRule } from './rbac/policy-rule.js';
import type { SelectorRequirements } from './selector-attributes.js';

/** What a request wants to do (spec 12.1). Strings are '' where they do not apply; selectors are there by the gate AuthorizeWithSelectors only. */
export interface AuthorizationAttributes extends SelectorRequirements {
  readonly user: UserInfo;
  /** API verb for resources, lower-case HTTP method for other paths. */
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The URL path. */
  readonly path: string;
}

/** What in an authorizer's policy allowed a request. */
export interface Grant {
  /** The rule, or the policy line, that matched. */
  readonly rule: object;
  /** `ClusterRoleBinding "x"`, where a binding gave it. */
  readonly binding?: string;
  /** `ClusterRole "x"`. */
  readonly role?: string;
  /** `Group "x"`: what of the user the binding names. */
  readonly subject?: string;
}

export type Decision =
  | { readonly decision: 'Allow'; readonly reason: string; readonly authorizer?: string; readonly grant?: Grant }
  | {
      readonly decision: 'Deny' | 'NoOpinion';
      readonly reason: string;
      readonly error?: Error;
      readonly authorizer?: string;
    };

/** What a user may do in a namespace, as far as an authorizer can list it (spec 12.8). */
export interface UserRules {
  /** Rules about resources, in the authorizer's order; paths in them do not count. */
  readonly resourceRules: readonly PolicyRule[];
  /** Rules about paths; resources in them do not count. */
  readonly nonResourceRules: readonly PolicyRule[];
  /** Whether more may be allowed than is listed. */
  readonly incomplete: boolean;
  readonly error?: Error;
}

export const NO_RULES: UserRules = Object.freeze({ resourceRules: [], nonResourceRules: [], incomplete: false });

/** What an authorizer looked at for a request that it did not allow; a line each, for a reader. */
export interface Consideration {
  /** What of its policy is about the user. */
  readonly lookedAt: readonly string[];
  /** What came nearest to allowing it, the nearest first. */
  readonly nearest: readonly string[];
}

/** One authorizer's part in a refusal. */
export interface Opinion extends Consideration {
  readonly authorizer: string;
  readonly decision: Decision['decision'];
  /** '' when it gave none. */
  readonly reason: string;
}

/** Decides requests. Must not throw: trouble is NoOpinion with an error. */
export interface Authorizer {
  /** Unique in a server. */
  readonly name: string;
  /** Names of those it asks itself, as far as a server must know of them: with `rbac` the default roles are made. Default none. */
  readonly includes?: readonly string[];
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
  /** Absent: it never allows anything that could be listed. */
  rulesFor?(user: UserInfo, namespace: string): UserRules | Promise<UserRules>;
  /** Why it does not allow a request. May be slow: it is asked by people. Absent: its reason says all. */
  explain?(attributes: AuthorizationAttributes): Consideration;
}

export type AuthorizerFactory = (host: Host) => Authorizer;
