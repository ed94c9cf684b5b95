import { managerName } from '../../fields/field-manager.js';
import { isJsonObject } from '../../json/value.js';
import { isApiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseQuery } from '../../meta/query.js';
import type { UserInfo } from '../../meta/user-info.js';
import { PATCH_MEDIA_TYPES, type PatchKind } from '../../patch/media-types.js';
import { textOf } from '../../requests/result.js';
import { decodeUtf8 } from '../../values/utf8.js';
import type { Entry } from './entry.js';
import type {
  RecordedAdmission,
  RecordedChange,
  RecordedDecision,
  RecordedRequest,
  RecordedWatch,
} from './recorded-request.js';
import { valueOf } from './stored-value.js';

/** The verbs whose requests write fields. */
const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
const PATCH_KINDS = Object.keys(PATCH_MEDIA_TYPES) as PatchKind[];

/** What people see of an entry. Everything is made when it is read. */
class RequestView implements RecordedRequest {
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
  }
  static entryOf(request: RecordedRequest): Entry {
    if (request instanceof RequestView) return request.#entry;
    throw new TypeError('these are not requests of a log: recordRequests(server) returns one');
  }

  get number(): number {
    return this.#entry.number;
  }
  get time(): number {
    return this.#entry.time;
  }
  get duration(): number | undefined {
    return this.#entry.duration;
  }
  get user(): UserInfo {
    return this.#entry.user;
  }
  get impersonator(): UserInfo | undefined {
    return this.#entry.impersonator;
  }
  get userAgent(): string {
    return this.#entry.userAgent;
  }
  get isOwn(): boolean {
    return this.#entry.isOwn;
  }
  get method(): string {
    return this.#entry.method;
  }
  get path(): string {
    return this.#entry.path;
  }
  get query(): string {
    return this.#entry.query;
  }
  get verb(): string {
    return this.#entry.info.verb;
  }
  get group(): string {
    return this.#entry.info.group;
  }
  get version(): string {
    return this.#entry.info.version;
  }
  get resource(): string {
    return this.#entry.info.resource;
  }
  get subresource(): string {
    return this.#entry.info.subresource;
  }
  get namespace(): string {
    return this.#entry.info.namespace;
  }
  get name(): string {
    const { info, object } = this.#entry;
    return info.name || (this.after?.metadata.name ?? object?.metadata?.name ?? '');
  }
  get dryRun(): boolean {
    const { sent } = this;
    const ofQuery = parseQuery(this.query).all('dryRun');
    const ofBody = this.#entry.document && isJsonObject(sent) && Array.isArray(sent['dryRun']) ? sent['dryRun'] : [];
    return this.#entry.info.resourceRequest && [...ofQuery, ...ofBody].includes('All');
  }
  get fieldManager(): string {
    if (!this.#entry.info.resourceRequest || !WRITING.has(this.verb)) return '';
    return managerName(parseQuery(this.query).first('fieldManager'), this.userAgent);
  }
  get patchType(): PatchKind | undefined {
    const [type] = this.#entry.contentType.split(';', 1);
    return PATCH_KINDS.find((kind) => PATCH_MEDIA_TYPES[kind] === type);
  }
  get sent(): unknown {
    const { object, document } = this.#entry;
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
    return (this.#entry.extras?.checks ?? []).map(({ attributes, decision }) => ({ ...decision, attributes }));
  }
  get admission(): RecordedAdmission {
    const { mutatedBy = [], refusedBy, annotations = [] } = this.#entry.extras ?? {};
    return { mutatedBy: [...mutatedBy], refusedBy, annotations: Object.fromEntries(annotations) };
  }
  get warnings(): readonly string[] {
    return [...this.#entry.warnings];
  }
  get status(): number | undefined {
    return this.#entry.status;
  }
  get reason(): string {
    const { failure } = this.#entry;
    return isApiError(failure) ? (failure.status.reason ?? '') : '';
  }
  get message(): string {
    const { failure } = this.#entry;
    if (failure === undefined) return '';
    return failure instanceof Error ? failure.message : textOf(failure).trimEnd();
  }
  get isLost(): boolean {
    return this.#entry.isLost;
  }
  get basedOn(): string | undefined {
    return this.verb === 'create' ? undefined : demandedVersion(this.sent, this.#entry.document !== undefined);
  }
  get resourceVersion(): string | undefined {
    const { answer, listVersion } = this.#entry;
    return answer?.metadata?.resourceVersion ?? listVersion;
  }
  get count(): number | undefined {
    return this.#entry.count;
  }
  get changes(): readonly RecordedChange[] {
    return (this.#entry.changes ?? []).map(({ before, after }) => ({ before: valueOf(before), after: valueOf(after) }));
  }
  get before(): ApiObject | undefined {
    return valueOf(this.#entry.changes?.[0]?.before);
  }
  get after(): ApiObject | undefined {
    return valueOf(this.#entry.changes?.at(-1)?.after);
  }
  get answer(): ApiObject | undefined {
    return this.#entry.answer;
  }
  get watch(): RecordedWatch | undefined {
    const { delivered } = this.#entry;
    return delivered && { events: delivered.events, ended: delivered.ended };
  }

  toJSON(): object {
    const { time, authorization, checks, changes, ...rest } = everythingOf(this);
    return {
      ...rest,
      time: new Date(this.time).toISOString(),
      authorization: this.authorization && shownDecision(this.authorization),
      checks: this.checks.map(shownDecision),
      before: this.before,
      after: this.after,
    };
  }
}

const NAMES = Object.getOwnPropertyNames(RequestView.prototype).filter(
  (name) => !['constructor', 'toJSON'].includes(name),
);

/** Returns the members of a request as those of a plain object. */
function everythingOf(request: RecordedRequest): Record<string, unknown> {
  return Object.fromEntries(NAMES.map((name) => [name, Reflect.get(request, name)]));
}

/** Returns a decision as plain data: an error as its message. */
function shownDecision({ attributes: { user: _user, ...asked }, ...decision }: RecordedDecision): object {
  const error = 'error' in decision && decision.error ? { error: decision.error.message } : {};
  return { ...decision, ...error, asked };
}

/** Returns the version that a body demands of the stored object. */
function demandedVersion(sent: unknown, isDocument: boolean): string | undefined {
  if (Array.isArray(sent)) {
    // A JSON patch demands it by a test, or by writing the version that it expects.
    const found = sent.find(
      (operation) => isJsonObject(operation) && operation['path'] === '/metadata/resourceVersion',
    );
    return typeof found?.value === 'string' ? found.value : undefined;
  }
  if (!isJsonObject(sent)) return undefined;
  const { metadata, preconditions } = sent;
  const holder = isDocument && isJsonObject(preconditions) ? preconditions : metadata;
  const version = isJsonObject(holder) ? holder['resourceVersion'] : undefined;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** Returns what people see of an entry, always the same object. */
export const viewOf = (entry: Entry): RecordedRequest => (entry.view ??= new RequestView(entry));

/** Returns the entry behind a request. @throws TypeError for anything else. */
export const entryOf = (request: RecordedRequest): Entry => RequestView.entryOf(request);
