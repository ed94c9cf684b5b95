import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import { stringifyJson } from '../serialization/json/encode.js';
import { utf8Length } from '../values/utf8.js';
import type { AuditEvent, AuditLevel, AuditStage, ObjectReference } from './audit-event.js';

/** What is known of a request when an event of it is made. */
export interface AuditFacts {
  /** `audit.<group>/v1`. */
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  /** JSON text. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Milliseconds since the epoch. */
  readonly received: number;
  readonly annotations: ReadonlyMap<string, string> | undefined;
  /** What the events of a request have in common, made for the first of them. */
  common?: CommonText | undefined;
}

interface CommonText {
  readonly impersonatedUser: UserInfo | undefined;
  readonly objectRef: ObjectReference | undefined;
  readonly start: string;
  readonly rest: string;
}

/** An event as sinks take it: its text is made once, its object when it is asked for. */
export interface AuditRecord {
  readonly level: AuditLevel;
  /** Compact JSON with kind and apiVersion, without an end of line. */
  readonly line: string;
  /** The same without kind and apiVersion, as an item of a list. */
  readonly item: string;
  readonly event: AuditEvent;
  /** Bytes of the line in UTF-8. */
  readonly size: number;
  /** The event without what was sent and answered, marked as such. */
  truncated(): AuditRecord;
}

/** The event of a stage. What changes later in `facts` does not show in it. */
export function recordStage(facts: AuditFacts, stage: AuditStage, now: number): AuditRecord {
  const { start, rest } = commonText(facts);
  let before = `${start}${stage}${rest}`;
  if (facts.responseStatus) before += `,"responseStatus":${statusText(facts.responseStatus)}`;
  const times = `,"requestReceivedTimestamp":"${microTime(facts.received)}","stageTimestamp":"${microTime(now)}"`;
  const { apiVersion, level, requestObject, responseObject } = facts;
  const annotations = [...(facts.annotations ?? [])];
  return new TextRecord({ apiVersion, level, before, requestObject, responseObject, times, annotations });
}

/** Around the stage: who asks for what. It is made again where the request has become more since. */
function commonText(facts: AuditFacts): CommonText {
  const { impersonatedUser, objectRef, common } = facts;
  if (common && common.impersonatedUser === impersonatedUser && common.objectRef === objectRef) return common;
  const { level, auditID, requestURI, verb, user, sourceIPs, userAgent } = facts;
  const start = `{"level":"${level}","auditID":${textJson(auditID)},"stage":"`;
  let rest = `","requestURI":${textJson(requestURI)},"verb":${textJson(verb)},"user":${userText(user)}`;
  if (impersonatedUser) rest += `,"impersonatedUser":${userText(impersonatedUser)}`;
  if (sourceIPs.length > 0) rest += `,"sourceIPs":[${sourceIPs.map(textJson).join(',')}]`;
  if (userAgent !== '') rest += `,"userAgent":${textJson(userAgent)}`;
  if (objectRef) rest += `,"objectRef":${stringifyJson(objectRef)}`;
  const made = { impersonatedUser, objectRef, start, rest };
  if (Object.isExtensible(facts)) facts.common = made;
  return made;
}

/** Nearly all answers have a code alone. */
function statusText(status: Partial<Status>): string {
  return status.status === undefined && status.message === undefined && status.code !== undefined
    ? `{"metadata":{},"code":${status.code}}`
    : stringifyJson(status);
}

/** What needs no escape in the JSON of the wire: nearly all texts. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
const textJson = (text: string): string => (PLAIN.test(text) ? `"${text}"` : stringifyJson(text));

interface Parts {
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly before: string;
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  readonly times: string;
  readonly annotations: readonly (readonly [key: string, value: string])[];
}

class TextRecord implements AuditRecord {
  readonly #parts: Parts;
  #item: string | undefined;
  #event: AuditEvent | undefined;
  #size: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get level(): AuditLevel {
    return this.#parts.level;
  }
  get item(): string {
    return (this.#item ??= itemText(this.#parts));
  }
  get line(): string {
    return `{"kind":"Event","apiVersion":"${this.#parts.apiVersion}",${this.item.slice(1)}`;
  }
  get event(): AuditEvent {
    return (this.#event ??= Object.freeze(JSON.parse(this.line) as AuditEvent)); // its own text
  }
  get size(): number {
    return (this.#size ??= utf8Length(this.line));
  }
  truncated(): AuditRecord {
    const mark = [`${this.#parts.apiVersion.split('/')[0]}/truncated`, 'true'] as const;
    const annotations = [...this.#parts.annotations.filter(([key]) => key !== mark[0]), mark];
    return new TextRecord({ ...this.#parts, requestObject: undefined, responseObject: undefined, annotations });
  }
}

function itemText({ before, requestObject, responseObject, times, annotations }: Parts): string {
  let text = before;
  if (requestObject !== undefined) text += `,"requestObject":${requestObject}`;
  if (responseObject !== undefined) text += `,"responseObject":${responseObject}`;
  text += times;
  if (annotations.length > 0) text += `,"annotations":${annotationsText(annotations)}`;
  return `${text}}`;
}

/** By key, as maps are written. */
function annotationsText(annotations: Parts['annotations']): string {
  const sorted = annotations.length < 2 ? annotations : [...annotations].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${textJson(key)}:${textJson(value)}`).join(',')}}`;
}

const userTexts = new WeakMap<UserInfo, string>();

/** Of a user who does not change it is made once. */
function userText(user: UserInfo | undefined): string {
  if (!user) return '{}';
  const before = userTexts.get(user);
  if (before !== undefined) return before;
  const { username, uid = '', groups = [], extra = {} } = user;
  const text = stringifyJson({
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  });
  if (Object.isFrozen(user)) userTexts.set(user, text);
  return text;
}

let lastMillisecond = Number.NaN;
let lastTime = '';

/** With six digits of fraction; the clock has three. Most events are of the same millisecond as the one before. */
function microTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  if (whole === lastMillisecond) return lastTime;
  lastMillisecond = whole;
  lastTime = `${new Date(whole).toISOString().slice(0, -1)}000Z`;
  return lastTime;
}
