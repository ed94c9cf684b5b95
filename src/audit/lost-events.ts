import type { Host } from '../meta/host.js';
import { messageOf } from '../values/message-of.js';
import { AUDIT_ERRORS } from './audit-metrics.js';

/** Milliseconds between two log lines about a plug-in, so that a failing sink does not fill the operator's log. */
const QUIET = 10_000;

/** Counts the events that plug-ins lost, and logs them at intervals. */
export class LostEvents {
  readonly #host: Pick<Host, 'clock' | 'log' | 'metrics'>;
  readonly #lastReports = new Map<string, { at: number; since: number }>();

  constructor(host: Pick<Host, 'clock' | 'log' | 'metrics'>) {
    this.#host = host;
  }

  /** @param why an error, or its message: many events may be lost, and creating an error costs more than all the rest here. */
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
