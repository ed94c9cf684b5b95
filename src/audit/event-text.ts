import type { Status } from '../meta/status.js';
import type { UserInfo } from '../meta/user-info.js';
import { stringifyJson } from '../serialization/json/encode.js';
import { cachedByText } from '../values/memoize.js';
import { Annotations, escapeText } from './annotations.js';
import { AUDIT_LEVELS, type AuditEvent, type AuditLevel, type AuditStage } from './audit-event.js';
import type { AuditedObject, AuditFacts, AuditMoment, CommonText } from './audit-facts.js';

/**
 * Returns the JSON of an event, compact and with kind and apiVersion. Parts that recur in other events are cached.
 * @param now milliseconds since the epoch
 * @param moment a snapshot of the data that may change, taken when the event was recorded. Default: the current data.
 */
export function eventText(facts: AuditFacts, stage: AuditStage, now: number, moment: AuditMoment = facts): string {
  const { responseStatus, annotations } = moment;
  const { id, rest } = commonText(facts, moment);
  const about = `${levelTexts(facts.apiVersion)[facts.level]}${id}${stageText(stage)}${rest}`;
  const answer = `${responseStatus ? statusText(responseStatus) : ''}${objectsText(moment)}`;
  return `${about}${answer}${timesText(facts.received, now)}${annotations?.last ?? '}'}`;
}

/** Returns the JSON of an event without the request and response bodies, with an annotation that marks it as truncated. */
export function truncatedText(text: string, apiVersion: string): string {
  // The text is the JSON of an event, so the cast is safe.
  const { annotations = {}, requestObject: _sent, responseObject: _answered, ...rest } = JSON.parse(text) as AuditEvent;
  let truncatedAnnotations = Annotations.none.with(`${apiVersion.split('/')[0]}/truncated`, 'true');
  for (const [key, value] of Object.entries(annotations)) truncatedAnnotations = truncatedAnnotations.with(key, value);
  return `${stringifyJson(rest).slice(0, -1)}${truncatedAnnotations.last}`;
}

function objectsText({ requestObject, responseObject }: AuditMoment): string {
  const request = requestObject === undefined ? '' : `,"requestObject":${requestObject}`;
  return responseObject === undefined ? request : `${request},"responseObject":${responseObject}`;
}

/**
 * Returns the parts of an event's JSON before and after the stage: the ID, and the members about the request. They are created again if the
 * request has gained an object reference or an impersonated user since the last event.
 */
function commonText(facts: AuditFacts, { impersonatedUser, objectRef, refersByUri }: AuditMoment): CommonText {
  const { common } = facts;
  if (common && common.impersonatedUser === impersonatedUser && common.objectRef === objectRef) return common;
  const eventParts = {
    impersonatedUser,
    objectRef,
    id: escapeText(facts.auditID),
    rest:
      refersByUri && !impersonatedUser
        ? requestText(facts, objectRef)
        : textOfRequest(facts, objectRef, impersonatedUser),
  };
  if (Object.isExtensible(facts)) facts.common = eventParts;
  return eventParts;
}

/** Returns the members of an event that describe the request, from `requestURI` to `objectRef`, as JSON. */
function textOfRequest(
  { requestURI, verb, user, sourceIPs, userAgent }: AuditFacts,
  objectRef: AuditedObject | undefined,
  impersonatedUser?: UserInfo,
): string {
  const who = impersonatedUser
    ? `${userText(user)},"impersonatedUser":${userText(impersonatedUser)}${originText(sourceIPs, userAgent)}`
    : whoText(user, sourceIPs, userAgent);
  // Engines keep the operands of a concatenation, but not those of `join`, so a string that may be cached is built with `join`.
  return [escapeText(requestURI), verbText(verb), who, objectRef ? referenceText(objectRef) : ''].join('');
}

interface KnownRequest {
  readonly user: UserInfo | undefined;
  readonly verb: string;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly text: string;
}
/** The JSON of recent requests by URI. It is cached, because callers often repeat a request. */
const lastRequests = new Map<string, KnownRequest>();
const MAX_REQUESTS = 256;
/** The maximum length of the cached JSON of one request. */
const MAX_REQUEST = 2048;

function requestText(facts: AuditFacts, objectRef: AuditedObject | undefined): string {
  const { requestURI, verb, user, sourceIPs, userAgent } = facts;
  const last = lastRequests.get(requestURI);
  if (last?.user === user && last?.verb === verb && last.sourceIPs === sourceIPs && last.userAgent === userAgent)
    return last.text;
  const text = textOfRequest(facts, objectRef);
  // Only a frozen user is certain to be unchanged in the next request. The size limit bounds the memory, because callers choose the URI.
  if (!user || !Object.isFrozen(user) || text.length > MAX_REQUEST) return text;
  if (lastRequests.size >= MAX_REQUESTS) lastRequests.clear();
  lastRequests.set(requestURI, { user, verb, sourceIPs, userAgent, text });
  return text;
}

/** Returns the beginning of an event's line: `kind` and `apiVersion`, which an event in a list does not contain. */
export const prefixOf = (apiVersion: string): string => `{"kind":"Event","apiVersion":"${apiVersion}",`;

/** Returns, for each level, the beginning of an event's JSON up to the value of `auditID`. */
const levelTexts = cachedByText(
  (apiVersion) =>
    Object.fromEntries(
      AUDIT_LEVELS.map((level) => [level, [prefixOf(apiVersion), '"level":"', level, '","auditID":"'].join('')]),
    ) as Readonly<Record<AuditLevel, string>>, // The object has a member for each level, so the cast is safe.
);
const stageText = cachedByText((stage) => ['","stage":"', stage, '","requestURI":"'].join(''));
const verbText = cachedByText((verb) => ['","verb":"', escapeText(verb), '","user":'].join(''));

interface Origin {
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly text: string;
}
const lastOrigins = new WeakMap<UserInfo, Origin>();

/** Returns the members about the caller. They are cached, because most requests of a user come from the same address and program. */
function whoText(user: UserInfo | undefined, sourceIPs: readonly string[], userAgent: string): string {
  const last = user && lastOrigins.get(user);
  if (last && last.userAgent === userAgent && (last.sourceIPs === sourceIPs || isSame(last.sourceIPs, sourceIPs)))
    return last.text;
  const text = [userText(user), originText(sourceIPs, userAgent)].join('');
  if (user && Object.isFrozen(user)) lastOrigins.set(user, { sourceIPs, userAgent, text });
  return text;
}

function originText(sourceIPs: readonly string[], userAgent: string): string {
  // Addresses are normalized, so they need no escapes.
  const from = sourceIPs.length > 0 ? `,"sourceIPs":["${sourceIPs.join('","')}"]` : '';
  return userAgent === '' ? from : `${from},"userAgent":"${escapeText(userAgent)}"`;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each, i) => each === others[i]);

interface KnownReference {
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
  /** The JSON of the reference before and after the name. */
  readonly start: string;
  readonly end: string;
}
/** The last reference for each resource. It is cached, because most references to a resource differ only in the name. */
const lastReferences = new Map<string, KnownReference>();
const MAX_REFERENCES = 1024;

/** Returns the member `objectRef`. Its members are in the order in which Go writes them, and empty members are left out. */
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
    // Callers can request any resource name, so the size of a cached reference is limited to bound the memory.
    if (known.start.length + known.end.length < MAX_REFERENCES) lastReferences.set(resource, known);
  }
  if (uid === '' && resourceVersion === '' && resource !== '')
    return name === '' ? `${known.start}${known.end}` : `${known.start},"name":"${escapeText(name)}"${known.end}`;
  const members = `${known.start}${member('name', name)}${member('uid', uid)}`;
  const versions = `${member('apiGroup', group)}${member('apiVersion', version)}`;
  const text = `${members}${versions}${member('resourceVersion', resourceVersion)}${member('subresource', subresource)}}`;
  return resource === '' ? text.replace('{,', '{') : text;
}

function referenceAround({ resource, namespace, group, version, subresource }: AuditedObject): KnownReference {
  // Engines keep the operands of a concatenation, but not those of `join`, so strings that very many events share are built with `join`.
  const start = [',"objectRef":{', member('resource', resource).slice(1), member('namespace', namespace)].join('');
  const end = [member('apiGroup', group), member('apiVersion', version), member('subresource', subresource), '}'];
  return { namespace, group, version, subresource, start, end: end.join('') };
}

/** Returns the JSON of one member, preceded by a comma; '' for an empty value. */
const member = (name: string, value: string): string => (value === '' ? '' : `,"${name}":"${escapeText(value)}"`);

/** Returns the member `responseStatus`. Nearly all statuses contain only a code, so the last result is cached. */
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

const userTexts = new WeakMap<UserInfo, string>();

/** Returns the JSON text of a user; cached for frozen users. */
export function userText(user: UserInfo | undefined): string {
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

/**
 * Returns the members with the times. Most events have the same times as the event before, in whole milliseconds, so the last result is
 * cached.
 */
function timesText(receivedAt: number, stagedAt: number): string {
  const received = Math.floor(receivedAt);
  const now = Math.floor(stagedAt);
  if (lastTimes.received !== received || lastTimes.now !== now) {
    const members = [',"requestReceivedTimestamp":"', microTime(received), '","stageTimestamp":"', microTime(now), '"'];
    lastTimes = { received, now, text: members.join('') };
  }
  return lastTimes.text;
}

let lastSecond = { second: Number.NaN, text: '' };
const SECOND = 1000;

/**
 * Formats a time with six fractional digits. The clock has milliseconds, so the last three digits are 0. A Date is created at most once a
 * second.
 */
function microTime(millisecond: number): string {
  const second = Math.floor(millisecond / SECOND);
  if (second !== lastSecond.second) lastSecond = { second, text: new Date(second * SECOND).toISOString().slice(0, -4) };
  return `${lastSecond.text}${String(SECOND + millisecond - second * SECOND).slice(1)}000Z`;
}
