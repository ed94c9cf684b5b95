import { isNotFound } from '../meta/api-error.js';
import { type Clock, formatTime, reading } from '../meta/clock.js';
import { shorten } from '../meta/field-error.js';
import type { Host } from '../meta/host.js';
import { type Random, randomBelow } from '../meta/random.js';
import { coreEvent } from '../resources/core/index.js';
import { messageOf } from '../values/message-of.js';
import type { ControllerContext } from './controller.js';

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

/** Maximum length of a message in characters. It limits memory, because recent messages are kept. */
const MAX_MESSAGE = 1000;

/** Writes events about objects, within a rate limit for each object. */
export class EventRecorder {
  readonly #context: Pick<ControllerContext, 'host' | 'client'>;
  readonly #component: string;
  readonly #limits: EventLimits;

  /** @param component the `source.component` of the events that are written. */
  constructor(context: Pick<ControllerContext, 'host' | 'client'>, component: string) {
    this.#context = context;
    this.#component = component;
    this.#limits = new EventLimits(context.host);
  }

  /** Writes an event. If the same event was written before, its count is increased instead. Failures are only logged. */
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
      // A failure is only logged, because losing an event does no harm. A write fails, for example, in a namespace that is being deleted,
      // or when admission refuses it.
      host.log(`no event was recorded about the ${kind} ${namespace}/${name}: ${messageOf(error)}`);
    }
  }

  /** Patches an event. @returns false when the event does not exist, for example because it has expired. */
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

/** The object that an event is about. */
interface Involved {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiVersion: string;
}

/** An event to write: either a new one, or a known one with a higher count. */
interface EventToWrite {
  readonly name: string;
  readonly message: string;
  readonly count: number;
  /** The time of the first event, in milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  /** Whether the event combines several messages. */
  readonly isCombined: boolean;
}

/** The record of events about one object. */
interface ObjectRecord {
  readonly reasons: Map<string, Reason>;
  /** Clock reading in milliseconds at the last event. */
  last: number;
  /** The number of further events that the rate limit allowed at the time `last`; it may be a fraction. */
  room: number;
}

/** The record of events about one object with one reason. */
interface Reason {
  /** The distinct messages of the events since the last pause of more than {@link FORGET_AFTER} milliseconds. */
  readonly messages: Set<string>;
  /** The most recent events by message, in the order of their last occurrence. The key '' is for combined events. */
  readonly events: Map<string, EventToWrite>;
  /** Clock reading in milliseconds at the last event. */
  last: number;
}

/**
 * The pause in milliseconds after which the distinct messages of a reason are counted anew, so that they are no longer combined. Repeated
 * events are still counted.
 */
const FORGET_AFTER = 600_000;
/**
 * The number of distinct messages at which combining begins: this message and later new ones are combined into one event. It is also the
 * number of events that are remembered for one reason.
 */
const COMBINE_FROM = 10;
/** The burst of events that is allowed for one object, and the milliseconds until one more event is allowed. */
const AT_ONCE = 25;
const REFILL = 300_000;
/** Maximum number of objects with a record. */
const MAX_OBJECTS = 4096;
/** The number of nanoseconds in a millisecond. */
const NANOSECONDS = 1_000_000;

/**
 * Limits the number of events as client-go does: similar events about one object are combined, and those beyond the rate limit are dropped.
 */
export class EventLimits {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #objects = new Map<string, ObjectRecord>();
  /** The counter that provides the digits below a millisecond in the names of events; undefined before the first event. */
  #nanoseconds: number | undefined;

  constructor({ clock, random }: Pick<Host, 'clock' | 'random'>) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the event to write for a message, or undefined when the object has reached its rate limit. */
  next(about: Involved, reason: string, message: string): EventToWrite | undefined {
    const now = this.#clock.now();
    const objectRecord = this.#recordOf(about);
    const { messages, events } = this.#reasonOf(objectRecord, reason);
    messages.add(message);
    const isCombined = messages.size >= COMBINE_FROM;
    const key = isCombined ? '' : message;
    const before = events.get(key);
    const eventToWrite: EventToWrite = {
      name: before?.name ?? this.#newName(about.name, now),
      message: isCombined ? `(combined from similar events): ${message}` : message,
      count: (before?.count ?? 0) + 1,
      first: before?.first ?? now,
      last: now,
      isCombined,
    };
    if (isCombined) messages.delete(message);
    events.delete(key);
    events.set(key, eventToWrite);
    const [oldest = key] = events.keys();
    if (events.size > COMBINE_FROM) events.delete(oldest);
    if (objectRecord.room < 1) return undefined;
    objectRecord.room--;
    return eventToWrite;
  }

  #recordOf({ apiVersion, kind, namespace, name, uid }: Involved): ObjectRecord {
    const key = [apiVersion, kind, namespace, name, uid].join('\0');
    const now = reading(this.#clock);
    const objectRecord = this.#objects.get(key) ?? { reasons: new Map(), last: now, room: AT_ONCE };
    objectRecord.room = Math.min(AT_ONCE, objectRecord.room + Math.max(0, now - objectRecord.last) / REFILL);
    objectRecord.last = now;
    // Inserting the record again moves it to the end, so that the least recently used record is dropped first.
    this.#objects.delete(key);
    this.#objects.set(key, objectRecord);
    const [oldest] = this.#objects.keys();
    if (oldest !== undefined && this.#objects.size > MAX_OBJECTS) this.#objects.delete(oldest);
    return objectRecord;
  }

  #reasonOf({ reasons }: ObjectRecord, name: string): Reason {
    const now = reading(this.#clock);
    const reason = reasons.get(name) ?? { messages: new Set(), events: new Map(), last: now };
    if (now - reason.last > FORGET_AFTER) reason.messages.clear();
    reason.last = now;
    reasons.set(name, reason);
    return reason;
  }

  /**
   * Returns a new name for an event. Names contain nanoseconds as in client-go, but the clock has only milliseconds. The digits below a
   * millisecond are therefore a counter, so that names differ. It starts at a random number, because another server may write about the
   * same object in the same millisecond.
   */
  #newName(name: string, now: number): string {
    const nanoseconds = this.#nanoseconds ?? randomBelow(this.#random, NANOSECONDS);
    this.#nanoseconds = (nanoseconds + 1) % NANOSECONDS;
    return `${name}.${(BigInt(Math.trunc(now)) * BigInt(NANOSECONDS) + BigInt(nanoseconds)).toString(16)}`;
  }
}
