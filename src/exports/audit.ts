/** `orch-apiserver/audit`: the policy of the audit log, its events, and the sinks to which they are written. */
export type { AuditEvent, AuditLevel, AuditStage, ObjectReference } from '../audit/audit-event.js';
export type { AuditedResources, AuditPolicy, AuditRule } from '../audit/audit-policy.js';
export type { AuditRecord } from '../audit/audit-record.js';
export {
  type AuditBatchOptions,
  type AuditFunction,
  type AuditMode,
  type AuditSink,
  type AuditTruncateOptions,
  functionSink,
} from '../audit/audit-sink.js';
export type { AuditOptions } from '../audit/audit-trail.js';
export { type WebhookSinkOptions, webhookSink } from '../audit/audit-webhook.js';
