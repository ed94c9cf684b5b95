import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import type { Annotations } from './annotations.js';
import type { AuditLevel } from './audit-event.js';

/** What a request is about, in the words of requests: what an event refers to. Members that are empty do not show. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What is known of a request when an event of it is made. */
export interface AuditFacts {
  /** `audit.<group>/v1`. */
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef: AuditedObject | undefined;
  /** Whether that is what the verb and the URI alone say. */
  readonly refersByUri?: boolean;
  readonly responseStatus: Partial<Status> | undefined;
  /** JSON text. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Milliseconds since the epoch. */
  readonly received: number;
  readonly annotations: Annotations | undefined;
  /** What the events of a request have in common, made for the first of them. */
  common?: CommonText | undefined;
}

/** What of the facts may change later, as it was when an event was made. */
export interface AuditMoment {
  readonly impersonatedUser?: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
  readonly refersByUri?: boolean | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly annotations: Annotations | undefined;
}

/** What the events of a request have in common. */
export interface CommonText {
  readonly impersonatedUser: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
  readonly id: string;
  readonly rest: string;
}
