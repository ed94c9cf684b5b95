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

/** The data of a request from which its audit events are created. */
export interface AuditFacts {
  /** The API version of events: `audit.k8s.io/v1` in the k8s dialect. */
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
  /** Whether `objectRef` is determined by `verb` and `requestURI` alone. The JSON of such a request is reused for equal requests. */
  readonly refersByUri?: boolean;
  readonly responseStatus: Partial<Status> | undefined;
  /** The request body as JSON text. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** The time of arrival, in milliseconds since the epoch. */
  readonly received: number;
  readonly annotations: Annotations | undefined;
  /** The parts of the JSON that are the same in all events of the request. They are created with the first event. */
  common?: CommonText | undefined;
}

/** A snapshot, taken when an event is recorded, of the data that may still change while the request is handled. */
export interface AuditMoment {
  readonly impersonatedUser?: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
  readonly refersByUri?: boolean | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly annotations: Annotations | undefined;
}

/** The parts of an event's JSON that are the same in all events of a request. */
export interface CommonText {
  readonly impersonatedUser: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
  readonly id: string;
  readonly rest: string;
}
