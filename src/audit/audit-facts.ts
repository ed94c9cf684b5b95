import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import type { Annotations } from './annotations.js';
import type { AuditLevel } from './audit-event.js';

/**
 * The object of a request. Its members have the names of the request attributes. Events contain it as `objectRef`, without the empty
 * members.
 */
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

/** The known facts about a request, from which its events are made. */
export interface AuditFacts {
  /** The API version of events, `audit.<group>/v1`. */
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
  /** Whether the object reference follows from the verb and the URI alone. */
  readonly refersByUri?: boolean;
  readonly responseStatus: Partial<Status> | undefined;
  /** The request body as JSON text. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** The time of arrival, in milliseconds since the epoch. */
  readonly received: number;
  readonly annotations: Annotations | undefined;
  /** The text that all events of the request share; it is made for the first event. */
  common?: CommonText | undefined;
}

/** The facts that may change later, as they were when an event was made. */
export interface AuditMoment {
  readonly impersonatedUser?: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
  readonly refersByUri?: boolean | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly annotations: Annotations | undefined;
}

/** The text that all events of a request share. */
export interface CommonText {
  readonly impersonatedUser: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
  readonly id: string;
  readonly rest: string;
}
