import { isJsonObject } from '../../json/value.js';
import { isApiError } from '../../meta/api-error.js';
import { managerName } from '../../meta/manager-name.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseQuery } from '../../meta/query.js';
import type { UserInfo } from '../../meta/user-info.js';
import { PATCH_MEDIA_TYPES, type PatchKind } from '../../patch/media-types.js';
import type { RequestInfo } from '../../requests/request-info.js';
import { textOf } from '../../requests/result.js';
import { decodeUtf8 } from '../../values/utf8.js';
import { type Entry, infoOf, readStored } from './entry.js';
import type {
  RecordedAdmission,
  RecordedChange,
  RecordedDecision,
  RecordedRequest,
  RecordedWatch,
} from './recorded-request.js';

/** The error message for values that are not requests of a log. */
const NOT_OF_A_LOG = 'the requests must be those of a log, which recordRequests(server) returns';

/** The verbs of the requests that have a field manager. */
const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
const MICROSECONDS = 1000;
const PATCH_KINDS = Object.keys(PATCH_MEDIA_TYPES) as PatchKind[];

/** The public view of an entry. Every member is computed when it is read. */
class RequestView implements RecordedRequest {
  readonly #entry: Entry;
  #parsed: RequestInfo | undefined;

  constructor(entry: Entry) {
    this.#entry = entry;
  }
  get #info(): RequestInfo {
    return (this.#parsed ??= infoOf(this.#entry));
  }
  static infoOf(request: RecordedRequest): RequestInfo {
    return request instanceof RequestView ? request.#info : infoOf(RequestView.entryOf(request));
  }
  static entryOf(request: RecordedRequest): Entry {
    if (request instanceof RequestView) return request.#entry;
    throw new TypeError(NOT_OF_A_LOG);
  }

  get number(): number {
    return this.#entry.number;
  }
  get time(): number {
    return this.#entry.log.start + this.#entry.since;
  }
  get duration(): number | undefined {
    return this.#entry.answeredAt === 0 ? undefined : this.#entry.took / MICROSECONDS;
  }
  get user(): UserInfo {
    return this.#entry.user;
  }
  get impersonator(): UserInfo | undefined {
    return this.#entry.details.impersonator;
  }
  get userAgent(): string {
    return this.#entry.userAgent;
  }
  get isOwn(): boolean {
    return this.#entry.details.isOwn;
  }
  get method(): string {
    return this.#entry.details.method;
  }
  get path(): string {
    return this.#entry.path;
  }
  get query(): string {
    return this.#entry.query;
  }
  get verb(): string {
    return this.#info.verb;
  }
  get group(): string {
    return this.#info.group;
  }
  get version(): string {
    return this.#info.version;
  }
  get resource(): string {
    return this.#info.resource;
  }
  get subresource(): string {
    return this.#info.subresource;
  }
  get namespace(): string {
    return this.#info.namespace;
  }
  get name(): string {
    const { details } = this.#entry;
    return this.#info.name || (this.after?.metadata.name ?? details.object?.metadata?.name ?? '');
  }
  get dryRun(): boolean {
    const { sent } = this;
    const ofQuery = parseQuery(this.query).all('dryRun');
    const ofBody =
      this.#entry.details.document && isJsonObject(sent) && Array.isArray(sent['dryRun']) ? sent['dryRun'] : [];
    return this.#info.resourceRequest && [...ofQuery, ...ofBody].includes('All');
  }
  get fieldManager(): string {
    if (!this.#info.resourceRequest || !WRITING.has(this.verb)) return '';
    return managerName(parseQuery(this.query).first('fieldManager'), this.userAgent);
  }
  get patchType(): PatchKind | undefined {
    const [type] = this.#entry.details.contentType.split(';', 1);
    return PATCH_KINDS.find((kind) => PATCH_MEDIA_TYPES[kind] === type);
  }
  get sent(): unknown {
    const { object, document } = this.#entry.details;
    if (object || !document) return object;
    if ('value' in document) return document.value;
    const text = decodeUtf8(document.bytes);
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  get authorization(): RecordedDecision | undefined {
    const { attributes, decision } = this.#entry;
    return attributes && decision && { ...decision, attributes };
  }
  get checks(): readonly RecordedDecision[] {
    return (this.#entry.details.checks ?? []).map(({ attributes, decision }) => ({ ...decision, attributes }));
  }
  get admission(): RecordedAdmission {
    const { mutatedBy = [], refusedBy, annotations = [] } = this.#entry.details;
    return { mutatedBy: [...mutatedBy], refusedBy, annotations: Object.fromEntries(annotations) };
  }
  get warnings(): readonly string[] {
    return this.#entry.details.warnings ?? [];
  }
  get status(): number | undefined {
    return this.#entry.status || undefined;
  }
  get reason(): string {
    const { failure } = this.#entry.details;
    return isApiError(failure) ? (failure.status.reason ?? '') : '';
  }
  get message(): string {
    const { failure } = this.#entry.details;
    if (failure === undefined) return '';
    return failure instanceof Error ? failure.message : textOf(failure).trimEnd();
  }
  get isLost(): boolean {
    return this.#entry.details.isLost;
  }
  get basedOn(): string | undefined {
    return this.verb === 'create' ? undefined : demandedVersion(this.sent, this.#entry.details.document !== undefined);
  }
  get resourceVersion(): string | undefined {
    const { answer, details } = this.#entry;
    return answer?.metadata?.resourceVersion ?? details.listVersion;
  }
  get count(): number | undefined {
    return this.#entry.details.count;
  }
  get changes(): readonly RecordedChange[] {
    return (this.#entry.details.changes ?? []).map(({ before, after }) => ({
      before: readStored(before),
      after: readStored(after),
    }));
  }
  get before(): ApiObject | undefined {
    return readStored(this.#entry.details.changes?.[0]?.before);
  }
  get after(): ApiObject | undefined {
    return readStored(this.#entry.details.changes?.at(-1)?.after);
  }
  get answer(): ApiObject | undefined {
    return this.#entry.answer;
  }
  get watch(): RecordedWatch | undefined {
    const { delivered } = this.#entry.details;
    return delivered && { events: delivered.events, ended: delivered.ended };
  }

  toJSON(): object {
    const { time, authorization, checks, changes, ...rest } = everythingOf(this);
    return {
      ...rest,
      time: new Date(this.time).toISOString(),
      authorization: this.authorization && decisionDocument(this.authorization),
      checks: this.checks.map(decisionDocument),
      before: this.before,
      after: this.after,
    };
  }
}

const NAMES = Object.getOwnPropertyNames(RequestView.prototype).filter(
  (name) => !['constructor', 'toJSON'].includes(name),
);

/** Returns all members of a request as a plain object. */
function everythingOf(request: RecordedRequest): Record<string, unknown> {
  return Object.fromEntries(NAMES.map((name) => [name, Reflect.get(request, name)]));
}

/** Returns a decision as plain data. An error is replaced by its message. */
function decisionDocument({ attributes: { user: _user, ...asked }, ...decision }: RecordedDecision): object {
  const error = 'error' in decision && decision.error ? { error: decision.error.message } : {};
  return { ...decision, ...error, asked };
}

/** Returns the resourceVersion that the stored object must have according to the body of a request. */
function demandedVersion(sent: unknown, isDocument: boolean): string | undefined {
  if (Array.isArray(sent)) {
    // A JSON patch states the expected version with a `test` operation, or by writing `/metadata/resourceVersion`.
    const versionTest = sent.find(
      (operation) => isJsonObject(operation) && operation['path'] === '/metadata/resourceVersion',
    );
    return typeof versionTest?.value === 'string' ? versionTest.value : undefined;
  }
  if (!isJsonObject(sent)) return undefined;
  const { metadata, preconditions } = sent;
  const holder = isDocument && isJsonObject(preconditions) ? preconditions : metadata;
  const version = isJsonObject(holder) ? holder['resourceVersion'] : undefined;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** Returns the public view of an entry. The same entry always has the same view. */
export function viewOf(entry: Entry): RecordedRequest {
  const view = views.get(entry) ?? new RequestView(entry);
  entry.isShown = true;
  views.set(entry, view);
  return view;
}
const views = new WeakMap<Entry, RequestView>();

/** Returns the entry that a recorded request is the view of. @throws TypeError for anything else. */
export const entryOf = (request: RecordedRequest): Entry => RequestView.entryOf(request);

/** Returns the verb, the resource and the other properties that the path and the method of a request determine. */
export const requestInfoOf = (request: RecordedRequest): RequestInfo => RequestView.infoOf(request);

/**
 * Returns requests as a list.
 * @throws TypeError for a value that is not iterable, and for elements that are not requests of a log.
 */
export function requestsOf(requests: Iterable<RecordedRequest>): readonly RecordedRequest[] {
  if (typeof Object(requests)[Symbol.iterator] !== 'function') throw new TypeError(NOT_OF_A_LOG);
  const all = [...requests];
  for (const request of all) entryOf(request);
  return all;
}
