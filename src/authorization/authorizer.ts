import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';

/** What a request wants to do (document 2, section 5.8). Strings are '' where they do not apply. */
export interface AuthorizationAttributes {
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

export type Decision =
  | { readonly decision: 'Allow'; readonly reason: string; readonly authorizer?: string }
  | {
      readonly decision: 'Deny' | 'NoOpinion';
      readonly reason: string;
      readonly error?: Error;
      readonly authorizer?: string;
    };

/** Decides requests. Must not throw: trouble is NoOpinion with an error. */
export interface Authorizer {
  /** Unique in a server. */
  readonly name: string;
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
}

export type AuthorizerFactory = (host: Host) => Authorizer;
