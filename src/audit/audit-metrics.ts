import type { Host } from '../meta/host.js';
import { counter } from '../metrics/families.js';
import { messageOf } from '../values/message-of.js';

export const AUDIT_EVENTS = counter(
  'apiserver_audit_event_total',
  'Counter of audit events generated and sent to the audit backend.',
);
const AUDIT_ERRORS = counter(
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

/** Milliseconds between two log lines about a plug-in, so that a failing sink does not fill the operator's log. */
const QUIET = 10_000;

/** Counts the events that were lost, by plug-in, and logs the counts at intervals. */
export class LostEvents {
  readonly #host: Pick<Host, 'clock' | 'log' | 'metrics'>;
  readonly #lastReports = new Map<string, { at: number; since: number }>();

  constructor(host: Pick<Host, 'clock' | 'log' | 'metrics'>) {
    this.#host = host;
  }

  /** @param why an error, or only its message. Many events may be lost, and creating an Error costs more than counting a lost event. */
  add(plugin: string, why: unknown, events: number): void {
    const { clock, log, metrics } = this.#host;
    metrics.add(AUDIT_ERRORS, [plugin], events);
    const now = clock.now();
    const lastReport = this.#lastReports.get(plugin);
    if (lastReport && now >= lastReport.at && now - lastReport.at < QUIET) {
      lastReport.since += events;
      return;
    }
    this.#lastReports.set(plugin, { at: now, since: 0 });
    const affected = events + (lastReport?.since ?? 0);
    log(`Error in audit plugin '${plugin}' affecting ${affected} audit events: ${messageOf(why)}`);
  }
}
