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
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** The event for one stage of a request, as an Event of `audit.k8s.io/v1` (in the k8s dialect; spec 23.3). */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: string;
  readonly level: AuditLevel;
  /** The ID of the request. It is the same in all stages of the request and in the response header `Audit-Id`. */
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** The user; empty if the caller is not known. */
  readonly user: Partial<UserInfo>;
  readonly impersonatedUser?: UserInfo;
  /** The addresses that the request's headers name, followed by the address of the connection. */
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: ObjectReference;
  readonly responseStatus?: Partial<Status>;
  readonly requestObject?: JsonValue;
  readonly responseObject?: JsonValue;
  /** The time in RFC 3339 with six fractional digits. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}
