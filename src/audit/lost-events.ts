import type { Host } from '../meta/host.js';
import { messageOf } from '../values/message-of.js';
import { AUDIT_ERRORS } from './audit-metrics.js';

/** A sink that is gone would otherwise fill the operator's log. */
const QUIET = 10_000;

/** Counts the events that a plug-in lost, and says so now and then. */
export class LostEvents {
  readonly #host: Pick<Host, 'clock' | 'log' | 'metrics'>;
  readonly #said = new Map<string, { at: number; since: number }>();

  constructor(host: Pick<Host, 'clock' | 'log' | 'metrics'>) {
    this.#host = host;
  }

  /** @param why an error, or its message: very many may be lost, and an error costs more than all else here. */
  add(plugin: string, why: unknown, events: number): void {
    const { clock, log, metrics } = this.#host;
    metrics.add(AUDIT_ERRORS, [plugin], events);
    const now = clock.now();
    const said = this.#said.get(plugin);
    if (said && now >= said.at && now - said.at < QUIET) {
      said.since += events;
      return;
    }
    this.#said.set(plugin, { at: now, since: 0 });
    const affected = events + (said?.since ?? 0);
    log(`Error in audit plugin '${plugin}' affecting ${affected} audit events: ${messageOf(why)}`);
  }
}
