import { counter } from '../metrics/families.js';

export const AUDIT_EVENTS = counter(
  'apiserver_audit_event_total',
  'Counter of audit events generated and sent to the audit backend.',
);
export const AUDIT_ERRORS = counter(
  'apiserver_audit_error_total',
  'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
  ['plugin'],
);
export const AUDIT_LEVEL_REQUESTS = counter(
  'apiserver_audit_level_total',
  'Counter of policy levels for audit events (1 per request).',
  ['level'],
);
export const AUDIT_REJECTIONS = counter(
  'apiserver_audit_requests_rejected_total',
  'Counter of apiserver requests rejected due to an error in audit logging backend.',
);
