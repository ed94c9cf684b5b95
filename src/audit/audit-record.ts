import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import { utf8Length } from '../values/utf8.js';
import type { Annotations } from './annotations.js';
import type { AuditEvent, AuditLevel, AuditStage } from './audit-event.js';
import type { AuditedObject, AuditFacts, AuditMoment } from './audit-facts.js';
import { eventText, prefixOf, truncatedText, userText } from './event-text.js';

/** An event in the form that sinks receive. The JSON and the event object may be created only when they are read. */
export interface AuditRecord {
  /** The level of the rule that matched the request. */
  readonly level: AuditLevel;
  /** The event as compact JSON with kind and apiVersion, without a line break. */
  readonly line: string;
  /** The event as compact JSON without kind and apiVersion, in the form in which an EventList contains it. */
  readonly item: string;
  readonly event: AuditEvent;
  /** The size of the line in UTF-8 bytes, including its line break. */
  readonly size: number;
  /** The approximate number of characters that the event occupies while it is queued; memory limits use it. */
  readonly weight: number;
  /** Returns the event without the request and response bodies, with an annotation that marks it as truncated. */
  truncated(): AuditRecord;
}

/**
 * Creates the event of a stage. Later changes of `facts` do not affect it. The JSON of most events is created only when a sink reads it,
 * because creating the JSON of many events in a row takes a fraction of the time of creating each one while its request is served.
 */
export function recordStage(facts: AuditFacts, stage: AuditStage, now: number): AuditRecord {
  return canWait(facts) ? new WaitingRecord(facts, stage, now) : new TextRecord(facts, eventText(facts, stage, now));
}

/** The JSON of an event is created later only if the values that the caller chooses do not exceed these limits. */
const SHORT_URI = 2048;
const SHORT_USER = 512;
const SHORT_AGENT = 256;
const FEW_SOURCES = 8;

/**
 * Returns whether the JSON of an event may be created later. In that case, the values that it contains must be short and must not change.
 */
function canWait(facts: AuditFacts): boolean {
  const { user, responseStatus } = facts;
  return (
    facts.requestObject === undefined &&
    facts.responseObject === undefined &&
    facts.impersonatedUser === undefined &&
    facts.requestURI.length <= SHORT_URI &&
    facts.userAgent.length <= SHORT_AGENT &&
    facts.sourceIPs.length <= FEW_SOURCES &&
    (responseStatus === undefined || responseStatus === lastStatus || isUnchanging(responseStatus)) &&
    (user === undefined || user === lastShort || isShort(user))
  );
}

// Most requests share a few users and statuses, so the last user and the last status that passed the check are cached.
let lastShort: UserInfo | undefined;
let lastStatus: Partial<Status> | undefined;

function isUnchanging(status: Partial<Status>): boolean {
  if (!Object.isFrozen(status)) return false;
  lastStatus = status;
  return true;
}

function isShort(user: UserInfo): boolean {
  if (!Object.isFrozen(user) || userText(user).length > SHORT_USER) return false;
  lastShort = user;
  return true;
}

/** A record whose JSON is created on demand. */
class WaitingRecord implements AuditRecord, AuditMoment {
  readonly weight: number;
  readonly objectRef: AuditedObject | undefined;
  readonly refersByUri: boolean | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  readonly annotations: Annotations | undefined;
  readonly #facts: AuditFacts;
  readonly #stage: AuditStage;
  readonly #now: number;
  #written: TextRecord | undefined;

  constructor(facts: AuditFacts, stage: AuditStage, now: number) {
    this.weight = 2 * SHORT_USER + facts.requestURI.length + facts.userAgent.length;
    this.objectRef = facts.objectRef;
    this.refersByUri = facts.refersByUri;
    this.responseStatus = facts.responseStatus;
    this.annotations = facts.annotations;
    this.#facts = facts;
    this.#stage = stage;
    this.#now = now;
  }

  get level(): AuditLevel {
    return this.#facts.level;
  }
  get line(): string {
    // Most sinks read only `line`, and only once, so the JSON is not cached here.
    return this.#written?.line ?? this.#write();
  }
  get item(): string {
    return this.#text.item;
  }
  get event(): AuditEvent {
    return this.#text.event;
  }
  get size(): number {
    return this.#text.size;
  }
  truncated(): AuditRecord {
    return this.#text.truncated();
  }

  get #text(): TextRecord {
    return (this.#written ??= new TextRecord(this.#facts, this.#write()));
  }
  #write(): string {
    return eventText(this.#facts, this.#stage, this.#now, this);
  }
}

class TextRecord implements AuditRecord {
  readonly level: AuditLevel;
  readonly line: string;
  readonly #apiVersion: string;
  #event: AuditEvent | undefined;
  #size: number | undefined;

  constructor({ level, apiVersion }: Pick<AuditFacts, 'level' | 'apiVersion'>, line: string) {
    this.level = level;
    this.line = line;
    this.#apiVersion = apiVersion;
  }

  get weight(): number {
    return this.line.length;
  }
  get item(): string {
    return `{${this.line.slice(prefixOf(this.#apiVersion).length)}`;
  }
  get event(): AuditEvent {
    return (this.#event ??= Object.freeze(JSON.parse(this.line) as AuditEvent)); // The line is the JSON of an event, so the cast is safe.
  }
  get size(): number {
    return (this.#size ??= utf8Length(this.line) + 1);
  }
  truncated(): AuditRecord {
    const { level, line } = this;
    const apiVersion = this.#apiVersion;
    return new TextRecord({ level, apiVersion }, truncatedText(line, apiVersion));
  }
}
