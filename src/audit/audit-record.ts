import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import { stringifyJson } from '../serialization/json/encode.js';
import { remembering } from '../values/remembering.js';
import { utf8Length } from '../values/utf8.js';
import { Annotations } from './annotations.js';
import { AUDIT_LEVELS, type AuditEvent, type AuditLevel, type AuditStage } from './audit-event.js';
import { escaped } from './escaped.js';

/** What a request is about, in the words of requests: what an event refers to. Members that are empty do not show. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

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
  readonly objectRef: AuditedObject | undefined;
  /** Whether that is what the verb and the URI alone say. */
  readonly refersByUri?: boolean;
  readonly responseStatus: Partial<Status> | undefined;
  /** JSON text. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Milliseconds since the epoch. */
  readonly received: number;
  readonly annotations: Annotations | undefined;
  /** What the events of a request have in common, made for the first of them. */
  common?: CommonText | undefined;
}

interface CommonText {
  readonly impersonatedUser: UserInfo | undefined;
  readonly objectRef: AuditedObject | undefined;
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

/**
 * The event of a stage. What changes later in `facts` does not show in it. Its text is left in pieces: engines copy them once, when
 * somebody writes them, and pieces that come again and again are made once (`remembering`).
 */
export function recordStage(facts: AuditFacts, stage: AuditStage, now: number): AuditRecord {
  const { requestObject, responseObject, responseStatus, annotations } = facts;
  const { start, rest } = commonText(facts);
  const before = `${start}${stageText(stage)}${rest}${responseStatus ? statusText(responseStatus) : ''}`;
  const times = timesText(facts.received, now);
  const last = annotations ? `${annotations.text}}` : '}';
  if (requestObject === undefined && responseObject === undefined)
    return new TextRecord(facts, `${before}${times}${last}`, before.length, 0, times.length);
  const request = requestObject === undefined ? '' : `,"requestObject":${requestObject}`;
  const response = responseObject === undefined ? '' : `,"responseObject":${responseObject}`;
  const line = `${before}${request}${response}${times}${last}`;
  return new TextRecord(facts, line, before.length, request.length + response.length, times.length);
}

/** Around the stage: who asks for what. It is made again where the request has become more since. */
function commonText(facts: AuditFacts): CommonText {
  const { impersonatedUser, objectRef, common } = facts;
  if (common && common.impersonatedUser === impersonatedUser && common.objectRef === objectRef) return common;
  const { apiVersion, level, auditID, refersByUri } = facts;
  const made = {
    impersonatedUser,
    objectRef,
    start: `${levelTexts(apiVersion)[level]}${escaped(auditID)}`,
    rest: refersByUri && !impersonatedUser ? requestText(facts) : textOfRequest(facts),
  };
  if (Object.isExtensible(facts)) facts.common = made;
  return made;
}

/** Who asks for what, from the URI on. */
function textOfRequest(facts: AuditFacts): string {
  const { requestURI, verb, user, impersonatedUser, sourceIPs, userAgent, objectRef } = facts;
  const who = impersonatedUser
    ? `${userText(user)},"impersonatedUser":${userText(impersonatedUser)}${originText(sourceIPs, userAgent)}`
    : whoText(user, sourceIPs, userAgent);
  // In one piece: it may come again.
  return [escaped(requestURI), verbText(verb), who, objectRef ? referenceText(objectRef) : ''].join('');
}

interface KnownRequest {
  readonly user: UserInfo | undefined;
  readonly verb: string;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly text: string;
}
/** The last ones, by URI: whoever asks for something asks for it again. */
const lastRequests = new Map<string, KnownRequest>();
const MAX_REQUESTS = 256;
/** Characters of one that is kept. */
const MAX_REQUEST = 2048;

function requestText(facts: AuditFacts): string {
  const { requestURI, verb, user, sourceIPs, userAgent } = facts;
  const last = lastRequests.get(requestURI);
  if (last?.user === user && last?.verb === verb && last.sourceIPs === sourceIPs && last.userAgent === userAgent)
    return last.text;
  const text = textOfRequest(facts);
  // Users that change do not say the same again; whoever asks for much cannot fill the memory with it.
  if (!user || !Object.isFrozen(user) || text.length > MAX_REQUEST) return text;
  if (lastRequests.size >= MAX_REQUESTS) lastRequests.clear();
  lastRequests.set(requestURI, { user, verb, sourceIPs, userAgent, text });
  return text;
}

/** What comes before the members of an item. */
const prefixOf = (apiVersion: string): string => `{"kind":"Event","apiVersion":"${apiVersion}",`;

/** How an event of each level begins, up to its id. */
const levelTexts = remembering(
  (apiVersion) =>
    Object.fromEntries(
      AUDIT_LEVELS.map((level) => [level, [prefixOf(apiVersion), '"level":"', level, '","auditID":"'].join('')]),
    ) as Readonly<Record<AuditLevel, string>>, // one of each
);
const stageText = remembering((stage) => ['","stage":"', stage, '","requestURI":"'].join(''));
const verbText = remembering((verb) => ['","verb":"', escaped(verb), '","user":'].join(''));

interface Origin {
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly text: string;
}
const lastOrigins = new WeakMap<UserInfo, Origin>();

/** Who asks, from where and with which program: most requests of a user come from the same place as the one before. */
function whoText(user: UserInfo | undefined, sourceIPs: readonly string[], userAgent: string): string {
  const last = user && lastOrigins.get(user);
  if (last && last.userAgent === userAgent && (last.sourceIPs === sourceIPs || isSame(last.sourceIPs, sourceIPs)))
    return last.text;
  const text = [userText(user), originText(sourceIPs, userAgent)].join('');
  if (user && Object.isFrozen(user)) lastOrigins.set(user, { sourceIPs, userAgent, text });
  return text;
}

function originText(sourceIPs: readonly string[], userAgent: string): string {
  // Addresses are normalized: nothing in them needs an escape.
  const from = sourceIPs.length > 0 ? `,"sourceIPs":["${sourceIPs.join('","')}"]` : '';
  return userAgent === '' ? from : `${from},"userAgent":"${escaped(userAgent)}"`;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each, i) => each === others[i]);

interface KnownReference {
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
  /** Around the name. */
  readonly start: string;
  readonly end: string;
}
/** The last one of a resource: most requests for it are alike but for the name. */
const lastReferences = new Map<string, KnownReference>();
const MAX_REFERENCES = 1024;

/** In the order of the wire, without what is empty. */
function referenceText(ref: AuditedObject): string {
  const { resource, namespace, group, version, subresource, name, uid = '', resourceVersion = '' } = ref;
  let known = lastReferences.get(resource);
  if (
    !known ||
    known.namespace !== namespace ||
    known.group !== group ||
    known.version !== version ||
    known.subresource !== subresource
  ) {
    known = referenceAround(ref);
    if (lastReferences.size >= MAX_REFERENCES) lastReferences.clear();
    // Whoever asks for what there is not cannot fill the memory with it.
    if (known.start.length + known.end.length < MAX_REFERENCES) lastReferences.set(resource, known);
  }
  if (uid === '' && resourceVersion === '' && resource !== '')
    return name === '' ? `${known.start}${known.end}` : `${known.start},"name":"${escaped(name)}"${known.end}`;
  const members = `${known.start}${member('name', name)}${member('uid', uid)}`;
  const versions = `${member('apiGroup', group)}${member('apiVersion', version)}`;
  const text = `${members}${versions}${member('resourceVersion', resourceVersion)}${member('subresource', subresource)}}`;
  return resource === '' ? text.replace('{,', '{') : text;
}

function referenceAround({ resource, namespace, group, version, subresource }: AuditedObject): KnownReference {
  // In one piece each: they come with very many lines.
  const start = [',"objectRef":{', member('resource', resource).slice(1), member('namespace', namespace)].join('');
  const end = [member('apiGroup', group), member('apiVersion', version), member('subresource', subresource), '}'];
  return { namespace, group, version, subresource, start, end: end.join('') };
}

/** '' where it is empty. */
const member = (name: string, value: string): string => (value === '' ? '' : `,"${name}":"${escaped(value)}"`);

/** Nearly all answers have a code alone. */
function statusText(status: Partial<Status>): string {
  if (status === lastStatus.status) return lastStatus.text;
  const text = `,"responseStatus":${stringifyJson(status)}`;
  if (Object.isFrozen(status)) lastStatus = { status, text };
  return text;
}

let lastStatus: { readonly status: Partial<Status> | undefined; readonly text: string } = {
  status: undefined,
  text: '',
};

class TextRecord implements AuditRecord {
  readonly level: AuditLevel;
  readonly line: string;
  readonly #apiVersion: string;
  /** Where what was sent and answered begins; the times follow it, then the annotations. */
  readonly #objectsFrom: number;
  readonly #objectsLength: number;
  readonly #timesLength: number;
  #event: AuditEvent | undefined;
  #size: number | undefined;

  constructor(
    { level, apiVersion }: Pick<AuditFacts, 'level' | 'apiVersion'>,
    line: string,
    objectsFrom: number,
    objectsLength: number,
    timesLength: number,
  ) {
    this.level = level;
    this.line = line;
    this.#apiVersion = apiVersion;
    this.#objectsFrom = objectsFrom;
    this.#objectsLength = objectsLength;
    this.#timesLength = timesLength;
  }

  get item(): string {
    return `{${this.line.slice(prefixOf(this.#apiVersion).length)}`;
  }
  get event(): AuditEvent {
    return (this.#event ??= Object.freeze(JSON.parse(this.line) as AuditEvent)); // its own text
  }
  get size(): number {
    return (this.#size ??= utf8Length(this.line));
  }
  truncated(): AuditRecord {
    const { level, line } = this;
    const apiVersion = this.#apiVersion;
    const timesFrom = this.#objectsFrom + this.#objectsLength;
    const timesEnd = timesFrom + this.#timesLength;
    const { annotations = {} } = JSON.parse(`{${line.slice(timesEnd).replace(/^,/, '')}`) as Pick<
      AuditEvent,
      'annotations'
    >;
    let kept = Annotations.none.with(`${apiVersion.split('/')[0]}/truncated`, 'true');
    for (const [key, value] of Object.entries(annotations)) kept = kept.with(key, value);
    const text = `${line.slice(0, this.#objectsFrom)}${line.slice(timesFrom, timesEnd)}${kept.text}}`;
    return new TextRecord({ level, apiVersion }, text, this.#objectsFrom, 0, this.#timesLength);
  }
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

let lastTimes = { received: Number.NaN, now: Number.NaN, text: '' };

/** Most events are of the same milliseconds as the one before. */
function timesText(received: number, now: number): string {
  if (lastTimes.received !== received || lastTimes.now !== now) {
    const members = [',"requestReceivedTimestamp":"', microTime(received), '","stageTimestamp":"', microTime(now), '"'];
    lastTimes = { received, now, text: members.join('') };
  }
  return lastTimes.text;
}

let lastSecond = { second: Number.NaN, text: '' };
const SECOND = 1000;

/** With six digits of fraction; the clock has three. Dates are made once a second. */
function microTime(milliseconds: number): string {
  const millisecond = Math.floor(milliseconds);
  const second = Math.floor(millisecond / SECOND);
  if (second !== lastSecond.second) lastSecond = { second, text: new Date(second * SECOND).toISOString().slice(0, -4) };
  return `${lastSecond.text}${String(SECOND + millisecond - second * SECOND).slice(1)}000Z`;
}
