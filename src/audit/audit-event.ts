import type { JsonValue } from '../json/value.js';
import { type Dialect, groupOf } from '../meta/dialect.js';
import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';

/** What an event contains: nothing (no event), the metadata of the request, also the request body, or also the response body. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
/** The moments of a request at which events are recorded. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** Returns the API version of events and policies, such as `audit.k8s.io/v1`. */
export const auditVersion = (dialect: Dialect): string => `${groupOf(dialect, 'audit')}/v1`;

export const AUDIT_LEVELS: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
export const AUDIT_STAGES: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** Returns whether an event of `level` contains at least what an event of `other` contains. */
export const isAtLeast = (level: AuditLevel, other: AuditLevel): boolean =>
  AUDIT_LEVELS.indexOf(level) >= AUDIT_LEVELS.indexOf(other);

/** The object of a request; members that do not apply are absent. */
export interface ObjectReference {
  /** The plural name of the resource, such as `pods`. */
  readonly resource?: string;
  /** The namespace of the object. */
  readonly namespace?: string;
  /** The name of the object; absent for requests about a collection, and for a creation with `generateName`. */
  readonly name?: string;
  /** The uid of the object, if it is in the request body. */
  readonly uid?: string;
  /** The API group; absent for the core group. */
  readonly apiGroup?: string;
  /** The version without the group, such as `v1`. */
  readonly apiVersion?: string;
  /** The resourceVersion of the object, if it is in the request body. */
  readonly resourceVersion?: string;
  /** The subresource, such as `status`. */
  readonly subresource?: string;
}

/** The event for one stage of a request, as an Event of `audit.k8s.io/v1` (in the k8s dialect; spec 23.3). */
export interface AuditEvent {
  readonly kind: 'Event';
  /** The API version of events: `audit.` with the group suffix of the dialect, and `/v1`. */
  readonly apiVersion: string;
  /** The level of the rule that matched the request, which decides what the event contains. */
  readonly level: AuditLevel;
  /** The ID of the request. It is the same in all stages of the request and in the response header `Audit-Id`. */
  readonly auditID: string;
  /** The moment of the request at which the event was recorded. */
  readonly stage: AuditStage;
  /** The path and query of the request, as the client sent them. */
  readonly requestURI: string;
  /** The verb of the request, such as `create` or `watch`; for paths outside of the API, the HTTP method in lower case. */
  readonly verb: string;
  /** The user; empty if the caller is not known. */
  readonly user: Partial<UserInfo>;
  /** The user that the caller impersonates; absent without impersonation. */
  readonly impersonatedUser?: UserInfo;
  /** The addresses that the request's headers name, followed by the address of the connection. */
  readonly sourceIPs?: readonly string[];
  /** The header `User-Agent` of the request. */
  readonly userAgent?: string;
  /** The object of the request; absent for paths outside of the API. */
  readonly objectRef?: ObjectReference;
  /** The status of the response: its code, and for an error its reason and message. */
  readonly responseStatus?: Partial<Status>;
  /** The request body, with the levels Request and RequestResponse. */
  readonly requestObject?: JsonValue;
  /** The response body, with the level RequestResponse. */
  readonly responseObject?: JsonValue;
  /** The time in RFC 3339 with six fractional digits. */
  readonly requestReceivedTimestamp: string;
  /** The time at which the request reached the stage, in RFC 3339 with microseconds. */
  readonly stageTimestamp: string;
  /** Notes of authenticators, authorizers and admission plug-ins, such as `authorization.k8s.io/decision`. */
  readonly annotations?: Readonly<Record<string, string>>;
}
