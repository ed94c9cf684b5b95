import { fieldAt, stepsOf } from '../../custom-resources/field-at.js';
import { isJsonObject } from '../../json/value.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseQuery } from '../../meta/query.js';
import { parseFieldSelector } from '../../selectors/field-selector.js';
import { parseLabelSelector } from '../../selectors/label-selector.js';
import type { Requests } from './assertions.js';
import { type Entry, readStored } from './entry.js';
import { entryOf, requestsOf } from './entry-view.js';
import { type RecordedMatcher, recordedTest } from './recorded-matcher.js';
import type { RecordedRequest } from './recorded-request.js';
import { printable, printTarget, printUser } from './shown.js';

/** The version of an object that a client had read at a position in the log. */
interface Reading {
  readonly at: number;
  readonly version: number;
}

/** The objects and lists that one client has read. */
class Reader {
  readonly objects = new Map<string, Reading>();
  readonly lists = new Map<string, (Reading & { readonly request: RecordedRequest })[]>();
  /** The object that the client last read under each name; undefined if it has learned that there is none. */
  readonly #names = new Map<string, { readonly uid: string; readonly version: number } | undefined>();
  readonly #nameByUid = new Map<string, string>();
  /** The position in the log up to which deliveries to the client are unknown, because its watches dropped their oldest records. */
  forgottenUntil = 0;

  /** Returns the version of the written object that the client had read last; undefined if the client has never read the object. */
  lastOf(write: RecordedRequest, uid: string): Reading | undefined {
    const own = this.objects.get(uid);
    const lists = this.lists.get(resourceOf(write)) ?? [];
    for (let i = lists.length - 1; i >= 0; i--) {
      const list = lists[i];
      if (!list || list.at < (own?.at ?? 0)) break;
      // All pages of a list show the state at the first page, so a later page can be older than a read of the object in between. It then
      // does not count. The object may also be on another page, so a page does not show that the object was absent.
      if (isPage(list.request) && list.version < (own?.version ?? 0)) continue;
      if (covers(list.request, write)) return list;
    }
    return own;
  }

  /** Returns the version of another object with the same name that the client has read, and takes for the written one. */
  namesakeOf(write: RecordedRequest, uid: string): number | undefined {
    const known = this.#names.get(nameOf(write));
    return known === undefined || known.uid === uid ? undefined : known.version;
  }

  /** Records which object the client has read under a name. */
  noteName(name: string, uid: string, version: number): void {
    this.#names.set(name, { uid, version });
    this.#nameByUid.set(uid, name);
  }

  /** Records that the client has learned that there is no object of this name. */
  forgetName(name: string): void {
    this.#names.set(name, undefined);
  }

  /** Records an event of an object. If it is newer than the version that the client has read, it may be the object's deletion. */
  noteEvent(uid: string, version: number): void {
    const name = this.#nameByUid.get(uid) ?? '';
    const known = this.#names.get(name);
    if (known?.uid === uid && known.version < version) this.forgetName(name);
  }
}

/**
 * Checks that no client overwrites a version that it has not read. A stale write is an update, a patch or a deletion that succeeds without
 * a condition (a resourceVersion, a precondition, a `test` of a JSON patch) although the version of the object that the client last read
 * was older than the stored one. A client is a user with a user agent. It reads an object by a get, a list, an event of a watch or its
 * own write. A 409 is not a stale write, because the condition worked. An apply is not one either, because field ownership
 * protects it; nor are dry runs, writes that changed nothing, and writes of an object that the client has never read. If the client has read
 * an object of the same name that was deleted since, and has not learned of the deletion, the write is stale.
 * @param match the writes that count. Default: all.
 * @throws Error that names each stale write.
 */
export function noWriteOnStaleRead(requests: Requests, match: RecordedMatcher = {}): void {
  const counts = recordedTest(match);
  const readers = new Map<string, Reader>();
  const readerOf = ({ user, userAgent }: RecordedRequest): Reader => {
    const key = `${user.username}\n${userAgent}`;
    const reader = readers.get(key) ?? new Reader();
    readers.set(key, reader);
    return reader;
  };
  const staleWrites: string[] = [];
  for (const { run } of requestsOf(requests)
    .flatMap((request) => readsAndWritesOf(request, readerOf(request), counts, staleWrites))
    .sort(byPosition))
    run();
  if (staleWrites.length > 0) throw new Error(`expected no write on a stale read, but\n${staleWrites.join('\n')}`);
}

interface Step {
  readonly at: number;
  run(): void;
}
const byPosition = (a: Step, b: Step) => a.at - b.at;

/** Returns the reads and writes of a request as steps, each with its position in the log. */
function readsAndWritesOf(
  request: RecordedRequest,
  reader: Reader,
  counts: (request: RecordedRequest) => boolean,
  found: string[],
): readonly Step[] {
  const entry = entryOf(request);
  const steps: Step[] = [];
  const note = (uid: string | undefined, version: string | undefined, at: number) => {
    if (uid !== undefined && version !== undefined) reader.objects.set(uid, { at, version: Number(version) });
  };
  const { answeredAt, answer, details } = entry;
  const { listVersion, delivered } = details;
  if (isBlindWrite(request, entry) && counts(request))
    steps.push({ at: entry.arrivedAt, run: () => found.push(...problemOf(request, reader)) });
  if (answeredAt !== 0 && !request.isLost && !request.dryRun) {
    const { uid, resourceVersion } = answer?.metadata ?? {};
    if (answer && request.verb !== 'delete')
      steps.push({
        at: answeredAt,
        run() {
          note(uid, resourceVersion, answeredAt);
          if (uid !== undefined && request.subresource === '')
            reader.noteName(nameOf(request), uid, Number(resourceVersion));
        },
      });
    // An object with finalizers stays stored, marked as deleted. The client that deleted it knows that version without reading it.
    if (request.verb === 'delete' || request.verb === 'deletecollection')
      for (const { after } of details.changes ?? []) {
        const kept = readStored(after)?.metadata;
        steps.push({ at: answeredAt, run: () => note(kept?.uid, kept?.resourceVersion, answeredAt) });
      }
    if (request.status === 404 || (request.verb === 'delete' && (request.status ?? 0) < 300))
      steps.push({ at: answeredAt, run: () => reader.forgetName(nameOf(request)) });
    if (request.verb === 'list' && listVersion !== undefined)
      steps.push({
        at: answeredAt,
        run() {
          const lists = reader.lists.get(resourceOf(request)) ?? [];
          lists.push({ at: answeredAt, version: Number(listVersion), request });
          reader.lists.set(resourceOf(request), lists);
        },
      });
  }
  if (delivered?.hasDropped) reader.forgottenUntil = Math.max(reader.forgottenUntil, delivered.objects[0]?.at ?? 0);
  for (const { at, uid, resourceVersion } of delivered?.objects ?? [])
    steps.push({
      at,
      run() {
        note(uid, resourceVersion, at);
        reader.noteEvent(uid, Number(resourceVersion));
      },
    });
  return steps;
}

const BLIND: ReadonlySet<string> = new Set(['update', 'patch', 'delete']);

/** Returns whether a request changed a stored object without a condition. */
function isBlindWrite(request: RecordedRequest, { details: { changes } }: Entry): boolean {
  const [change] = changes ?? [];
  if (!BLIND.has(request.verb) || !change?.before || change.before === change.after) return false;
  if ((request.status ?? 0) >= 300 || request.dryRun || request.patchType === 'apply') return false;
  return request.basedOn === undefined && !hasCondition(request);
}

function hasCondition({ sent, verb }: RecordedRequest): boolean {
  if (Array.isArray(sent)) return sent.some((operation) => isJsonObject(operation) && operation['op'] === 'test');
  return verb === 'delete' && isJsonObject(sent) && isJsonObject(sent['preconditions']);
}

function problemOf(write: RecordedRequest, reader: Reader): readonly string[] {
  const { uid = '', resourceVersion = '' } = write.before?.metadata ?? {};
  const last = reader.lastOf(write, uid);
  const what = `  #${write.number} ${printUser(write)}: ${printable(write.verb)} ${printTarget(write)} without a resourceVersion`;
  if (!last) {
    const namesake = reader.forgottenUntil > 0 ? undefined : reader.namesakeOf(write, uid);
    return namesake === undefined
      ? []
      : [`${what} replaced version ${resourceVersion}, and version ${namesake}, which it had read, was another object`];
  }
  if (last.at < reader.forgottenUntil || last.version >= Number(resourceVersion)) return [];
  return [`${what} replaced version ${resourceVersion}, and the last that it had read was ${last.version}`];
}

const resourceOf = ({ group, resource }: RecordedRequest) => `${resource}.${group}`;
const nameOf = (request: RecordedRequest) => `${resourceOf(request)}\n${request.namespace}\n${request.name}`;

/** Returns whether a list may be one of several pages. */
function isPage({ query }: RecordedRequest): boolean {
  const parameters = parseQuery(query);
  return Boolean(parameters.first('limit') || parameters.first('continue'));
}

/** Returns whether the written object was in a list, judged by the namespace and the selectors of the list. */
function covers({ namespace, query }: RecordedRequest, { before }: RecordedRequest): boolean {
  const { namespace: own = '', labels = {} } = before?.metadata ?? {};
  if (namespace !== '' && namespace !== own) return false;
  const parameters = parseQuery(query);
  const fields = parseFieldSelector(parameters.first('fieldSelector') ?? '');
  if (!fields.matches((field) => fieldOf(before, field))) return false;
  return parseLabelSelector(parameters.first('labelSelector') ?? '').matches(labels);
}

/** Returns a field as a string; '' if it is absent. Nearly all selectable fields are named by their path, such as `spec.nodeName`. */
const fieldOf = (object: ApiObject | undefined, path: string): string => String(fieldAt(object, stepsOf(path)) ?? '');
