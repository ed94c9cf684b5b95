import { isNotFound } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import { shorten } from '../../meta/field-error.js';
import { coreEvent } from '../../resources/core/index.js';
import { messageOf } from '../../values/message-of.js';
import type { ControllerContext } from '../controller.js';
import { EventLimits } from './event-limits.js';

/** The object that an event is about. */
export interface InvolvedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
}

export interface NewEvent {
  readonly involvedObject: InvolvedObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Characters of a message: what was said is kept in memory. */
const MAX_MESSAGE = 1000;

/** Writes events about objects, within the bounds of what is said about one of them. */
export class EventRecorder {
  readonly #context: Pick<ControllerContext, 'host' | 'client'>;
  readonly #component: string;
  readonly #limits: EventLimits;

  /** @param component as the source of the events. */
  constructor(context: Pick<ControllerContext, 'host' | 'client'>, component: string) {
    this.#context = context;
    this.#component = component;
    this.#limits = new EventLimits(context.host.clock);
  }

  /** Writes an event, or counts it where it was written before. Failures are logged. */
  async record(given: NewEvent): Promise<void> {
    const { involvedObject, type, reason } = given;
    const { kind, namespace, name } = involvedObject;
    const said = this.#limits.next(involvedObject, `${type}/${reason}`, shorten(given.message, MAX_MESSAGE));
    if (!said) return;
    const { message, count, isCombined } = said;
    const [firstTimestamp, lastTimestamp] = [formatTime(said.first), formatTime(said.last)];
    const event = {
      metadata: { name: said.name },
      involvedObject,
      reason,
      message,
      source: { component: this.#component },
      firstTimestamp,
      lastTimestamp,
      count,
      type,
      ...(isCombined ? {} : { reportingComponent: this.#component }),
    };
    const { host, client } = this.#context;
    const where = { namespace: namespace || 'default' };
    try {
      if (count === 1 || !(await this.#change(said.name, where, { count, lastTimestamp, message })))
        await client.create(coreEvent, event, where);
    } catch (error) {
      // Events are lost without harm: in a namespace that goes, or where admission refuses them.
      host.log(`no event about the ${kind} ${namespace}/${name}: ${messageOf(error)}`);
    }
  }

  /** False where the event is gone meanwhile. */
  async #change(name: string, where: { readonly namespace: string }, change: object): Promise<boolean> {
    try {
      await this.#context.client.patch(coreEvent, name, change, { ...where, type: 'merge' });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
