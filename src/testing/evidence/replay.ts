import { describeOperations, patchBetween } from '../../client/differences.js';
import { responseFrom } from '../../client/fetch.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOrUndefined } from '../../json/value.js';
import type { ObjectMeta } from '../../meta/object-meta.js';
import { headersOf } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import { PATCH_MEDIA_TYPES } from '../../patch/media-types.js';
import { isLongRunning } from '../../requests/request-info.js';
import { LOOPBACK_USER } from '../../server/clients.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { checkServer } from '../check-arguments.js';
import type { Requests } from './assertions.js';
import { entryOf, requestInfoOf, requestsOf } from './entry-view.js';
import { type RecordedMatcher, recordedTest } from './recorded-matcher.js';
import type { RecordedRequest } from './recorded-request.js';
import { printable, printTarget, printUser } from './shown.js';

/** The options of {@link replay}. */
export interface ReplayOptions {
  /** The requests that are sent. Default: all but those of the server itself. */
  readonly match?: RecordedMatcher;
  /**
   * The user as which all requests are sent, to test the permissions of another user. Default: each request is sent as the user who sent
   * it.
   */
  readonly user?: UserInfo;
  /**
   * Whether uids, versions, times and generated names count as differences. They are equal on a fork whose clock and random values continue
   * like those of the recorded server. Default false.
   */
  readonly exact?: boolean;
}

/** A request to which the other server responded differently. */
export interface AnswerDifference {
  /** The request as it was recorded. */
  readonly request: RecordedRequest;
  /** The status with which the other server responded. */
  readonly status: number;
  /** The reason of the failure; '' for a success. */
  readonly reason: string;
  /** The differences, one per line. */
  readonly lines: readonly string[];
}

/** The result of {@link replay}. */
export interface Replayed {
  /** The number of requests that were sent. */
  readonly sent: number;
  /**
   * The requests that cannot be sent again: watches and other requests that stay open, requests without a user or a response, and those
   * that the recorded server did not serve, because an injected fault answered or refused them, or an aggregated API server served them.
   */
  readonly skipped: readonly RecordedRequest[];
  /** The requests to which the other server responded differently. */
  readonly differences: readonly AnswerDifference[];
  /** The differences as lines; '' if there are none. */
  readonly text: string;
}

/**
 * Sends recorded requests to another server or a fork, one after the other in the order of the log, each as its user and with its user
 * agent. If a recorded write named the stored resourceVersion or uid, it is sent with those that the object has on the other server. The
 * faults of the recording and the pauses between its requests are not repeated.
 * @returns the requests to which the other server responded with another status, reason or object.
 * @throws TypeError for an option that does not exist.
 */
export async function replay(
  requests: Requests,
  server: CoreApiServer,
  options: ReplayOptions = {},
): Promise<Replayed> {
  checkServer('replay', server);
  refuseUnknownMembers('replay', options, ['match', 'user', 'exact']);
  const { match, user: sender, exact = false } = options;
  const isWanted = match !== undefined ? recordedTest(match) : ({ isOwn }: RecordedRequest) => !isOwn;
  const renaming = new Renaming();
  const skipped: RecordedRequest[] = [];
  const differences: AnswerDifference[] = [];
  let sent = 0;
  for (const request of requestsOf(requests).filter(isWanted)) {
    const user = sender ?? request.user;
    const isComplete = user.username !== '' && request.status !== undefined;
    if (!isComplete || !entryOf(request).details.isServed || isLongRunning(requestInfoOf(request))) {
      skipped.push(request);
      continue;
    }
    sent++;
    await learnStored(renaming, request, server);
    const answer = await send(renaming, request, user, server);
    renaming.learn(request.answer, answer.object);
    const lines = await differencesOf(request, answer, exact ? undefined : renaming);
    if (lines.length > 0) differences.push({ request, status: answer.status, reason: answer.reason, lines });
  }
  return { sent, skipped, differences, text: differences.map(describe).join('\n') };
}

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly object: JsonObject | undefined;
}

const REMOTE = { accept: 'application/json' };
/**
 * The headers for requests that clients in this process had sent. The server drew no random audit ID for such a request. The constant ID
 * keeps the server from drawing one during the replay, so that later random values are the same as in the recording.
 */
const LOCAL = { ...REMOTE, 'audit-id': 'replay' };

async function send(
  renaming: Renaming,
  request: RecordedRequest,
  user: UserInfo,
  server: CoreApiServer,
): Promise<Answer> {
  const { method, userAgent, sent, patchType } = request;
  const contentType = patchType === undefined ? 'application/json' : PATCH_MEDIA_TYPES[patchType];
  // A recorded body is decoded JSON or a string, so it is a JSON value.
  const body = sent === undefined ? undefined : renaming.ofBody(sent as JsonValue);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    'content-type': contentType,
    'user-agent': userAgent,
    ...(entryOf(request).isLocal ? LOCAL : REMOTE),
  };
  const bytes = new TextEncoder().encode(text);
  const response = responseFrom(
    await server.handle(
      {
        method,
        path: renaming.ofPath(request.path),
        query: renaming.ofQuery(request.query),
        headers: headersOf(headers),
        ...(body === undefined ? {} : { body: { type: 'bytes', read: async () => bytes } }),
      },
      { user },
    ),
  );
  const answered = await response.text();
  const object = parseObject(answered);
  const isStatus = object?.['kind'] === 'Status';
  const reason = isStatus && typeof object?.['reason'] === 'string' ? object['reason'] : '';
  return { status: response.status, reason, object: isStatus ? undefined : object };
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJsonOrUndefined(text);
  return isJsonObject(value) ? value : undefined;
}

/** Reads the version and uid that the object of a write has on the other server, so that the write can require them. */
async function learnStored(renaming: Renaming, request: RecordedRequest, server: CoreApiServer): Promise<void> {
  const { before, path, subresource, verb } = request;
  if (!before || verb === 'create' || verb === 'deletecollection') return;
  const ofObject = subresource === '' ? path : path.slice(0, path.lastIndexOf('/'));
  const headers = headersOf(LOCAL);
  const get = { method: 'GET', path: renaming.ofPath(ofObject), query: '', headers };
  const response = responseFrom(await server.handle(get, { user: LOOPBACK_USER }));
  if (response.status === 200) renaming.learn(before, parseObject(await response.text()));
}

/**
 * Returns the differences between the recorded response and that of the other server, one per line.
 * @param renaming hides the differences that do not count; undefined if all count.
 */
async function differencesOf(
  request: RecordedRequest,
  { status, reason, object }: Answer,
  renaming: Renaming | undefined,
): Promise<readonly string[]> {
  const lines: string[] = [];
  if (status !== request.status) lines.push(`status: ${request.status} -> ${status}`);
  if (reason !== request.reason) lines.push(`reason: ${printable(request.reason)} -> ${printable(reason)}`);
  const { answer, count } = request;
  if (count !== undefined && Array.isArray(object?.['items']) && object['items'].length !== count)
    lines.push(`items: ${count} -> ${object['items'].length}`);
  if (!answer || !object || lines.length > 0) return lines;
  const [before, after] = [JSON.parse(JSON.stringify(answer)) as JsonObject, object];
  const [one, other] = renaming ? [renaming.hidden(before), renaming.hidden(after)] : [before, after];
  return describeOperations(await patchBetween(one, other));
}

function describe({ request, lines }: AnswerDifference): string {
  const head = `#${request.number} ${printable(request.verb)} ${printTarget(request)} by ${printUser(request)}`;
  return [head, ...lines.map((line) => `  ${line}`)].join('\n');
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** The members whose values differ from server to server. */
const OWN = new Set(['uid', 'resourceVersion', 'continue']);
/** The members of a Service to which a server assigns random values, and the names of the volumes that it adds to pods. */
const ALLOCATED = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']);
/** The beginning of the name of a member of managedFields that represents an owner reference. */
const OWNER = 'k:{"uid":';
const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TOKEN_VOLUME = /^[a-z]+-api-access-[a-z0-9]{5}$/;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Returns whether a value of a member may have been assigned by a server. A headless Service has no address. */
const isAllocated = (member: string, value: JsonValue) =>
  member === 'name'
    ? typeof value === 'string' && TOKEN_VOLUME.test(value)
    : ALLOCATED.has(member) && value !== 'None' && value !== '' && value !== 0;

/** The kinds whose objects contain random values that a server assigns. */
const ALLOCATING = new Set<JsonValue | undefined>(['Service', 'Pod']);

/**
 * Maps the identifiers in a recording (uids, versions, generated names, addresses and ports of Services) to those of the server that the
 * recording is sent to.
 */
class Renaming {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #names = new Map<string, string>();
  /** The addresses and ports of Services. */
  readonly #allocated = new Map<JsonValue, JsonValue>();

  /** Maps the identifiers of a recorded object to those of the other server's object for the same request. */
  learn(recorded: { readonly metadata?: ObjectMeta } | undefined, own: JsonObject | undefined): void {
    if (recorded && own && ALLOCATING.has(own['kind'])) this.#learnAllocated(recorded as unknown as JsonObject, own);
    const { metadata = {} } = recorded ?? {};
    const ofOwn = own?.['metadata'];
    if (!isJsonObject(ofOwn)) return;
    const pairs = [
      [this.#uids, metadata.uid, ofOwn['uid']],
      [this.#versions, metadata.resourceVersion, ofOwn['resourceVersion']],
      ...(metadata.generateName ? [[this.#names, metadata.name, ofOwn['name']] as const] : []),
    ] as const;
    for (const [names, from, to] of pairs) if (from !== undefined && typeof to === 'string') names.set(from, to);
  }

  ofPath(path: string): string {
    return path
      .split('/')
      .map((segment) => this.#names.get(segment) ?? segment)
      .join('/');
  }

  ofQuery(query: string): string {
    return query.replace(/(^|&)(resourceVersion=)(\d+)/, (_, before: string, name: string, version: string) =>
      [before, name, this.#versions.get(version) ?? version].join(''),
    );
  }

  ofBody(body: JsonValue): JsonValue {
    return replaceValues(body, (member, text, holder) => {
      if (isAllocated(member, text)) return this.#allocated.get(text) ?? text;
      if (typeof text === 'number') return text;
      const isVersion = member === 'resourceVersion' || holder['path'] === '/metadata/resourceVersion';
      if (isVersion) return this.#versions.get(text) ?? text;
      if (member === 'name') return this.#names.get(text) ?? text;
      return this.#uids.get(text) ?? text;
    });
  }

  /** Returns an object with placeholders for the values that differ from server to server. */
  hidden(object: JsonObject): JsonObject {
    const generated = new Set([...this.#names].flat());
    const hide = (member: string, value: string | number) => {
      if (isAllocated(member, value)) return `<${member}>`;
      if (typeof value === 'number') return value;
      if (OWN.has(member) || (member === 'token' && TOKEN.test(value))) return `<${member}>`;
      return TIME.test(value) ? '<time>' : generated.has(value) ? '<name>' : value;
    };
    // Only strings and numbers within the object are replaced, so the result is an object and the cast is safe.
    return replaceValues(object, hide, (member) =>
      member.startsWith(OWNER) ? member.replaceAll(UID, (uid) => this.#uids.get(uid) ?? uid) : member,
    ) as JsonObject;
  }

  #learnAllocated(recorded: JsonValue, own: JsonValue, member = ''): void {
    if (Array.isArray(recorded) && Array.isArray(own))
      for (const [i, each] of own.entries()) this.#learnAllocated(recorded[i] ?? null, each, member);
    else if (isJsonObject(recorded) && isJsonObject(own))
      for (const [name, each] of Object.entries(own)) this.#learnAllocated(recorded[name] ?? null, each ?? null, name);
    else if (isAllocated(member, recorded)) this.#allocated.set(recorded, own);
  }
}

/**
 * Returns a copy of a value in which each string and number is replaced by the result of `replace`.
 * @param replace receives the name of the member that contains the value, the value, and the object that contains the member.
 * @param rename returns the new name of a member. Default: the same name.
 */
function replaceValues(
  value: JsonValue,
  replace: (member: string, value: string | number, holder: JsonObject) => JsonValue,
  rename: (member: string) => string = (name) => name,
  member = '',
  holder: JsonObject = {},
): JsonValue {
  if (typeof value === 'string' || typeof value === 'number') return replace(member, value, holder);
  if (Array.isArray(value)) return value.map((each) => replaceValues(each, replace, rename, member, holder));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [
    rename(name),
    each === undefined ? each : replaceValues(each, replace, rename, name, value),
  ]);
  return Object.fromEntries(members) as JsonObject;
}
