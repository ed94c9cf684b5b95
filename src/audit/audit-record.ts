import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import { stringifyJson } from '../serialization/json/encode.js';
import { remembering } from '../values/remembering.js';
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
  /** Members that are empty do not show. */
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
  /** When it came, up to where the time of the stage is to follow. */
  readonly received: string;
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
  const { requestObject, responseObject, responseStatus, annotations } = facts;
  const { start, rest, received } = commonText(facts);
  const status = responseStatus ? statusText(responseStatus) : '';
  const request = requestObject === undefined ? '' : `,"requestObject":${requestObject}`;
  const response = responseObject === undefined ? '' : `,"responseObject":${responseObject}`;
  const kept = annotations && annotations.size > 0 ? [...annotations] : NO_ANNOTATIONS;
  const end = `${microTime(now)}"`;
  return new TextRecord({
    apiVersion: facts.apiVersion,
    level: facts.level,
    // Joined at once to one piece: an event waits for its batch, and many pieces would have to be kept and be put together later.
    line: [start, stage, rest, status, request, response, received, end, annotationsText(kept), '}'].join(''),
    objectsFrom: start.length + stage.length + rest.length + status.length,
    objectsLength: request.length + response.length,
    timesLength: received.length + end.length,
    annotations: kept,
  });
}

/** Around the stage: who asks for what. It is made again where the request has become more since. */
function commonText(facts: AuditFacts): CommonText {
  const { impersonatedUser, objectRef, common } = facts;
  if (common && common.impersonatedUser === impersonatedUser && common.objectRef === objectRef) return common;
  const { apiVersion, level, auditID, requestURI, verb, user, sourceIPs, userAgent } = facts;
  const as = impersonatedUser ? `,"impersonatedUser":${userText(impersonatedUser)}` : '';
  const about = objectRef ? referenceText(objectRef) : '';
  const request = `","requestURI":${textJson(requestURI)},"verb":${knownJson(verb)},"user":`;
  const made = {
    impersonatedUser,
    objectRef,
    start: `${prefixOf(apiVersion)}"level":"${level}","auditID":${textJson(auditID)},"stage":"`,
    received: `,"requestReceivedTimestamp":"${microTime(facts.received)}","stageTimestamp":"`,
    rest: [request, userText(user), as, originText(user, sourceIPs, userAgent), about].join(''),
  };
  if (Object.isExtensible(facts)) facts.common = made;
  return made;
}

interface Origin {
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly text: string;
}
const lastOrigins = new WeakMap<UserInfo, Origin>();

/** From where and with which program: most requests of a user come from the same place as the one before. */
function originText(user: UserInfo | undefined, sourceIPs: readonly string[], userAgent: string): string {
  const last = user && lastOrigins.get(user);
  if (last && last.userAgent === userAgent && isSame(last.sourceIPs, sourceIPs)) return last.text;
  // Addresses are normalized: nothing in them needs an escape.
  const from = sourceIPs.length > 0 ? `,"sourceIPs":["${sourceIPs.join('","')}"]` : '';
  const text = userAgent === '' ? from : `${from},"userAgent":${textJson(userAgent)}`;
  if (user) lastOrigins.set(user, { sourceIPs, userAgent, text });
  return text;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each, i) => each === others[i]);

/** What comes before the members of an item. */
const prefixOf = (apiVersion: string): string => `{"kind":"Event","apiVersion":"${apiVersion}",`;

/** In the order of the wire, without what is empty. */
function referenceText(ref: ObjectReference): string {
  const { resource = '', namespace = '', name = '', uid = '' } = ref;
  const { apiGroup = '', apiVersion = '', resourceVersion = '', subresource = '' } = ref;
  let text = '';
  if (resource !== '') text += `,"resource":${knownJson(resource)}`;
  if (namespace !== '') text += `,"namespace":${knownJson(namespace)}`;
  if (name !== '') text += `,"name":${textJson(name)}`;
  if (uid !== '') text += `,"uid":${textJson(uid)}`;
  if (apiGroup !== '') text += `,"apiGroup":${knownJson(apiGroup)}`;
  if (apiVersion !== '') text += `,"apiVersion":${knownJson(apiVersion)}`;
  if (resourceVersion !== '') text += `,"resourceVersion":${textJson(resourceVersion)}`;
  if (subresource !== '') text += `,"subresource":${knownJson(subresource)}`;
  return `,"objectRef":{${text.slice(1)}}`;
}

/** Nearly all answers have a code alone. */
function statusText(status: Partial<Status>): string {
  return status.status === undefined && status.message === undefined && status.code !== undefined
    ? codeText(String(status.code))
    : `,"responseStatus":${stringifyJson(status)}`;
}

const codeText = remembering((code) => `,"responseStatus":{"metadata":{},"code":${code}}`);

/** What needs no escape in the JSON of the wire: nearly all texts. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
const textJson = (text: string): string => (PLAIN.test(text) ? `"${text}"` : stringifyJson(text));

/** Of what comes again with most requests: verbs, resources, namespaces. */
const knownJson = remembering(textJson);

type Annotation = readonly [key: string, value: string];
const NO_ANNOTATIONS: readonly Annotation[] = [];

/** An event's text, and where its parts are. */
interface Parts {
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly line: string;
  /** Where what was sent and answered begins; the times follow it, then the annotations. */
  readonly objectsFrom: number;
  readonly objectsLength: number;
  readonly timesLength: number;
  readonly annotations: readonly Annotation[];
}

class TextRecord implements AuditRecord {
  readonly line: string;
  readonly #parts: Parts;
  #event: AuditEvent | undefined;
  #size: number | undefined;

  constructor(parts: Parts) {
    this.line = parts.line;
    this.#parts = parts;
  }

  get level(): AuditLevel {
    return this.#parts.level;
  }
  get item(): string {
    return `{${this.line.slice(prefixOf(this.#parts.apiVersion).length)}`;
  }
  get event(): AuditEvent {
    return (this.#event ??= Object.freeze(JSON.parse(this.line) as AuditEvent)); // its own text
  }
  get size(): number {
    return (this.#size ??= utf8Length(this.line));
  }
  truncated(): AuditRecord {
    const { apiVersion, line, objectsFrom, objectsLength, timesLength } = this.#parts;
    const mark = [`${apiVersion.split('/')[0]}/truncated`, 'true'] as const;
    const annotations = [...this.#parts.annotations.filter(([key]) => key !== mark[0]), mark];
    const timesFrom = objectsFrom + objectsLength;
    const times = line.slice(timesFrom, timesFrom + timesLength);
    return new TextRecord({
      ...this.#parts,
      line: [line.slice(0, objectsFrom), times, annotationsText(annotations), '}'].join(''),
      objectsLength: 0,
      annotations,
    });
  }
}

/** By key, as maps are written. */
function annotationsText(annotations: readonly Annotation[]): string {
  if (annotations.length === 0) return '';
  let text = '';
  for (const [key, value] of isSorted(annotations) ? annotations : [...annotations].sort(byKey))
    text += `,${knownJson(key)}:${textJson(value)}`;
  return `,"annotations":{${text.slice(1)}}`;
}

const byKey = ([a]: Annotation, [b]: Annotation) => (a < b ? -1 : 1);

function isSorted(annotations: readonly Annotation[]): boolean {
  for (let i = 1; i < annotations.length; i++)
    if ((annotations[i - 1] as Annotation)[0] > (annotations[i] as Annotation)[0]) return false; // within
  return true;
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
