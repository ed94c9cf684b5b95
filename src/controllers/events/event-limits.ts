import { type Clock, reading } from '../../meta/clock.js';

/** An object that events are about. */
interface Involved {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiVersion: string;
}

/** An event as it is written: for the first time, or with another count. */
interface Said {
  readonly name: string;
  readonly message: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  /** One event for several messages. */
  readonly isCombined: boolean;
}

/** What was said about one object. */
interface Told {
  readonly reasons: Map<string, Reason>;
  /** A reading of the clock: milliseconds. */
  last: number;
  /** How many events may follow at once, as of then. */
  room: number;
}

/** What was said about one object for one reason. */
interface Reason {
  /** Different messages of late. */
  readonly messages: Set<string>;
  /** By message; '' is for those that are combined. */
  readonly events: Map<string, Said>;
  /** A reading of the clock: milliseconds. */
  last: number;
}

/** Milliseconds after which messages are no longer of late. */
const LATELY = 600_000;
/** With so many different messages those that come are combined. */
const SEVERAL = 10;
/** Events about an object at once, and the milliseconds until there is room for one more. */
const AT_ONCE = 25;
const REFILL = 300_000;
/** Objects that are remembered. */
const MAX_OBJECTS = 4096;

/**
 * Keeps events few, as the field's clients do: of many about one object those of the same reason are combined, and what is beyond
 * is not said.
 */
export class EventLimits {
  readonly #clock: Clock;
  readonly #objects = new Map<string, Told>();
  #names = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is to be written of a message; undefined where too much was said about the object. */
  next(about: Involved, reason: string, message: string): Said | undefined {
    const now = this.#clock.now();
    const told = this.#toldOf(about);
    const { messages, events } = this.#reasonOf(told, reason);
    messages.add(message);
    const isCombined = messages.size >= SEVERAL;
    const key = isCombined ? '' : message;
    const before = events.get(key);
    const said: Said = {
      name: before?.name ?? this.#newName(about.name, now),
      message: isCombined ? `(combined from similar events): ${message}` : message,
      count: (before?.count ?? 0) + 1,
      first: before?.first ?? now,
      last: now,
      isCombined,
    };
    if (isCombined) messages.delete(message);
    events.set(key, said);
    if (told.room < 1) return undefined;
    told.room--;
    return said;
  }

  #toldOf({ apiVersion, kind, namespace, name, uid }: Involved): Told {
    const key = [apiVersion, kind, namespace, name, uid].join('\0');
    const now = reading(this.#clock);
    const told = this.#objects.get(key) ?? { reasons: new Map(), last: now, room: AT_ONCE };
    told.room = Math.min(AT_ONCE, told.room + Math.max(0, now - told.last) / REFILL);
    told.last = now;
    // Those that were spoken of last are remembered longest.
    this.#objects.delete(key);
    this.#objects.set(key, told);
    const [oldest] = this.#objects.keys();
    if (oldest !== undefined && this.#objects.size > MAX_OBJECTS) this.#objects.delete(oldest);
    return told;
  }

  #reasonOf({ reasons }: Told, name: string): Reason {
    const now = reading(this.#clock);
    const reason = reasons.get(name) ?? { messages: new Set(), events: new Map(), last: now };
    if (now - reason.last > LATELY) {
      reason.messages.clear();
      reason.events.clear();
    }
    reason.last = now;
    reasons.set(name, reason);
    return reason;
  }

  /** Names are of nanoseconds: several of one object have different ones. */
  #newName(name: string, now: number): string {
    this.#names = (this.#names + 1) % 1_000_000;
    return `${name}.${(BigInt(Math.trunc(now)) * 1_000_000n + BigInt(this.#names)).toString(16)}`;
  }
}
