import type { JsonValue } from '../json/value.js';
import { type Dialect, groupOf } from '../meta/dialect.js';
import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';

/** How much of a request is kept: nothing, who did what, also what was sent, also what was answered. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
/** When an event is made. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** The version of events and policies: `audit.k8s.io/v1`. */
export const auditVersion = (dialect: Dialect): string => `${groupOf(dialect, 'audit')}/v1`;

export const AUDIT_LEVELS: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
export const AUDIT_STAGES: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** Whether a level keeps at least what another one does. */
export const isAtLeast = (level: AuditLevel, other: AuditLevel): boolean =>
  AUDIT_LEVELS.indexOf(level) >= AUDIT_LEVELS.indexOf(other);

/** What a request was about; members that do not apply are absent. */
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

/** One stage of one request, as `audit.<group>/v1` has it (spec 23.3). */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: string;
  readonly level: AuditLevel;
  /** The same in all stages of a request; what its answer carries as `Audit-Id`. */
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** Empty where the caller is not known. */
  readonly user: Partial<UserInfo>;
  readonly impersonatedUser?: UserInfo;
  /** As the request names them, then the address it came from. */
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: ObjectReference;
  readonly responseStatus?: Partial<Status>;
  readonly requestObject?: JsonValue;
  readonly responseObject?: JsonValue;
  /** RFC 3339 with six digits of fraction. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}
