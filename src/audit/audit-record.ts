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
  const { apiVersion, level, requestObject, responseObject, received, responseStatus, annotations } = facts;
  const { start, rest } = commonText(facts);
  const status = responseStatus ? statusText(responseStatus) : '';
  return new TextRecord({
    apiVersion,
    level,
    before: `${start}${stage}${rest}${status}`,
    requestObject,
    responseObject,
    times: `,"requestReceivedTimestamp":"${microTime(received)}","stageTimestamp":"${microTime(now)}"`,
    annotations: annotations && annotations.size > 0 ? [...annotations] : NO_ANNOTATIONS,
  });
}

/** Around the stage: who asks for what. It is made again where the request has become more since. */
function commonText(facts: AuditFacts): CommonText {
  const { impersonatedUser, objectRef, common } = facts;
  if (common && common.impersonatedUser === impersonatedUser && common.objectRef === objectRef) return common;
  const { apiVersion, level, auditID, requestURI, verb, user, sourceIPs, userAgent } = facts;
  const as = impersonatedUser ? `,"impersonatedUser":${userText(impersonatedUser)}` : '';
  const about = objectRef ? referenceText(objectRef) : '';
  const request = `","requestURI":${textJson(requestURI)},"verb":${textJson(verb)},"user":`;
  const made = {
    impersonatedUser,
    objectRef,
    start: `${prefixOf(apiVersion)}"level":"${level}","auditID":${textJson(auditID)},"stage":"`,
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
  const members =
    memberText('resource', ref.resource) +
    memberText('namespace', ref.namespace) +
    memberText('name', ref.name) +
    memberText('uid', ref.uid) +
    memberText('apiGroup', ref.apiGroup) +
    memberText('apiVersion', ref.apiVersion) +
    memberText('resourceVersion', ref.resourceVersion) +
    memberText('subresource', ref.subresource);
  return `,"objectRef":{${members.slice(1)}}`;
}

const memberText = (name: string, value = ''): string => (value === '' ? '' : `,"${name}":${textJson(value)}`);

/** Nearly all answers have a code alone. */
function statusText(status: Partial<Status>): string {
  return status.status === undefined && status.message === undefined && status.code !== undefined
    ? `,"responseStatus":{"metadata":{},"code":${status.code}}`
    : `,"responseStatus":${stringifyJson(status)}`;
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
const NO_ANNOTATIONS: Parts['annotations'] = [];

class TextRecord implements AuditRecord {
  readonly line: string;
  readonly #parts: Parts;
  #event: AuditEvent | undefined;
  #size: number | undefined;

  constructor(parts: Parts) {
    this.line = lineText(parts);
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
    const mark = [`${this.#parts.apiVersion.split('/')[0]}/truncated`, 'true'] as const;
    const annotations = [...this.#parts.annotations.filter(([key]) => key !== mark[0]), mark];
    return new TextRecord({ ...this.#parts, requestObject: undefined, responseObject: undefined, annotations });
  }
}

function lineText({ before, requestObject, responseObject, times, annotations }: Parts): string {
  let text = before;
  if (requestObject !== undefined) text += `,"requestObject":${requestObject}`;
  if (responseObject !== undefined) text += `,"responseObject":${responseObject}`;
  const about = annotations.length > 0 ? `,"annotations":${annotationsText(annotations)}` : '';
  return `${text}${times}${about}}`;
}

/** By key, as maps are written. */
function annotationsText(annotations: Parts['annotations']): string {
  let text = '';
  for (const [key, value] of isSorted(annotations) ? annotations : [...annotations].sort(byKey))
    text += `${text === '' ? '{' : ','}${textJson(key)}:${textJson(value)}`;
  return `${text}}`;
}

type Annotation = Parts['annotations'][number];
const byKey = ([a]: Annotation, [b]: Annotation) => (a < b ? -1 : 1);
const isSorted = (annotations: Parts['annotations']) =>
  annotations.every((each, i) => i === 0 || byKey(annotations[i - 1] ?? each, each) < 0);

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

const SECOND = 1000;
let lastSecond = Number.NaN;
let lastText = '';

/** With six digits of fraction; the clock has three. Most events are of the same second as the one before. */
function microTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / SECOND);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * SECOND).toISOString().slice(0, -'000Z'.length);
  }
  const rest = Math.floor(milliseconds) - second * SECOND;
  return `${lastText}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}000Z`;
}
