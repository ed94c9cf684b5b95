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

/** Maximum length of a message in characters, because recent messages are kept in memory. */
const MAX_MESSAGE = 1000;

/** Writes events about objects, within a rate limit for each object. */
export class EventRecorder {
  readonly #context: Pick<ControllerContext, 'host' | 'client'>;
  readonly #component: string;
  readonly #limits: EventLimits;

  /** @param component the `source.component` of the events. */
  constructor(context: Pick<ControllerContext, 'host' | 'client'>, component: string) {
    this.#context = context;
    this.#component = component;
    this.#limits = new EventLimits(context.host.clock);
  }

  /** Writes an event, or increases the count of the same event written before. Failures are only logged. */
  async record(newEvent: NewEvent): Promise<void> {
    const { involvedObject, type, reason } = newEvent;
    const { kind, namespace, name } = involvedObject;
    const eventToWrite = this.#limits.next(involvedObject, `${type}/${reason}`, shorten(newEvent.message, MAX_MESSAGE));
    if (!eventToWrite) return;
    const { message, count, isCombined } = eventToWrite;
    const [firstTimestamp, lastTimestamp] = [formatTime(eventToWrite.first), formatTime(eventToWrite.last)];
    const event = {
      metadata: { name: eventToWrite.name },
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
      if (count === 1 || !(await this.#change(eventToWrite.name, where, { count, lastTimestamp, message })))
        await client.create(coreEvent, event, where);
    } catch (error) {
      // Losing an event does no harm. Writes fail in a namespace that is being deleted, or when admission refuses them.
      host.log(`no event about the ${kind} ${namespace}/${name}: ${messageOf(error)}`);
    }
  }

  /** Returns false when the event does not exist, for example because it expired. */
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
