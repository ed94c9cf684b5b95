import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import { yieldIfDue } from '../../meta/flow.js';
import type { ApiObject, ListMeta } from '../../meta/object-meta.js';
import { type Entry, type Page, type Storage, StoreError } from '../../store/storage.js';
import { messageOf } from '../../values/message-of.js';
import { parseUnsigned } from '../../values/numbers.js';
import { quote } from '../../values/quote.js';
import type { ComputedKind } from '../resource-definition.js';
import type { ServedForm } from '../served/served-form.js';
import { collectionPrefix, objectKey, requestedKey, type ServedResource } from '../served/served-resource.js';
import { interpretListError, interpretStoreError } from '../store-errors.js';
import { decodeContinueToken, encodeContinueToken, keyBefore } from './continue-token.js';
import type { Selection } from './selection.js';

export interface ListParameters {
  /** '' for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  readonly selection: Selection;
  /** The maximum number of items; 0 means no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
}

export interface ObjectList {
  readonly metadata: ListMeta;
  readonly items: readonly ApiObject[];
}

/** The caller of a read. `signal` is read only when the call has to wait, because creating the signal is expensive. */
export interface Caller {
  readonly signal: AbortSignal;
}

/**
 * The data of the last unfiltered list that began at the first object. It refers weakly to the items, so that the garbage collector can
 * free them.
 */
interface Newest {
  readonly prefix: string;
  readonly limit: number;
  readonly revision: number;
  readonly metadata: ListMeta;
  readonly items: WeakRef<readonly ApiObject[]>;
}

const LARGEST_REVISION = (1n << 63n) - 1n;
// The number of entries that a filtered list reads from the store at a time.
const SCAN_CHUNK = 10_000;
/** The number of entries that are processed before other work may run on the event loop. */
const AT_ONCE = 100;
const TOO_OLD_TOKEN =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the ' +
  'continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with ' +
  'the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

/** Reads objects from the store: get and list with every rule of the resource-version table (spec 4.2). */
export class Reader {
  readonly resource: ServedResource;
  readonly #storage: Storage<ApiObject>;
  readonly #form: ServedForm;
  /** The last unfiltered list. It is returned again until the next write. */
  #newest: Newest | undefined;

  constructor(resource: ServedResource, storage: Storage<ApiObject>, form: ServedForm) {
    this.resource = resource;
    this.#storage = storage;
    this.#form = form;
  }

  /** @throws ApiError 404 when absent, 504 for a version in the future, 500 (400 in some dialects) for one that is not a number. */
  get(namespace: string, name: string, resourceVersion: string, caller: Caller): ApiObject | Promise<ApiObject> {
    const { virtual } = this.resource.definition;
    if (virtual && 'list' in virtual) return getComputed(this.resource, virtual, name);
    const key = requestedKey(this.resource, namespace, name);
    const waiting = resourceVersion === '0' ? undefined : this.#freshness(resourceVersion, caller);
    // The stored state is fresh enough after the wait, so it is read as for resourceVersion 0, which never waits.
    if (waiting) return waiting.then(() => this.get(namespace, name, '0', caller));
    const entry = this.#storage.get(key);
    if (!entry) throw apiError.notFound(this.resource.groupResource, name);
    let value: ApiObject;
    try {
      ({ value } = entry);
    } catch (error) {
      throw interpretStoreError(error, 'exact');
    }
    const converted = this.#form.ready?.([value]);
    return converted ? converted.then(() => this.#form.fromStorage(value)) : this.#form.fromStorage(value);
  }

  async list(parameters: ListParameters, caller: Caller): Promise<ObjectList> {
    const { virtual } = this.resource.definition;
    if (virtual && 'list' in virtual) return listComputed(virtual, parameters.selection);
    try {
      return await this.#list(parameters, caller);
    } catch (error) {
      throw interpretListError(error);
    }
  }

  async #list(parameters: ListParameters, caller: Caller): Promise<ObjectList> {
    const { continueToken, resourceVersion, resourceVersionMatch: match } = parameters;
    if (continueToken !== '') {
      return this.#continue(parameters, caller);
    }
    const versioned = resourceVersion !== '' && resourceVersion !== '0';
    const limit = resourceVersion === '0' ? 0 : parameters.limit;
    // Upstream serves paged and exact reads from etcd instead of the watch cache, with another message for a bad version (spec 4.4). A list
    // that selects one object by its name is read like that object, so a limit does not make its version exact.
    if (versioned && (match === 'Exact' || (limit > 0 && match === '' && this.#onlyName(parameters) === undefined))) {
      const revision = storageRevision(resourceVersion);
      await this.#waitForRevision(revision, resourceVersion, caller);
      const exact = parseUnsigned(resourceVersion);
      // As in upstream, a version beyond 63 bits overflows, so that it is not exact but only too large.
      if (exact > LARGEST_REVISION) throw apiError.tooLargeResourceVersion(exact, this.#storage.revision, 0);
      // The version `00` differs from `0`, but it means revision 0, which is not an exact version.
      return this.#page({ ...parameters, limit }, revision === 0 ? {} : { revision });
    }
    if (versioned && limit > 0) {
      const revision = storageRevision(resourceVersion);
      await this.#waitForRevision(revision, resourceVersion, caller);
      if (revision > this.#storage.revision)
        throw apiError.tooLargeResourceVersion(parseUnsigned(resourceVersion), this.#storage.revision, 0);
    } else if (resourceVersion !== '0') await this.#freshness(resourceVersion, caller);
    return this.#page({ ...parameters, limit }, {});
  }

  /** Returns the newest state as a list with its revision, from which a watch can continue. */
  async snapshot(
    namespace: string,
    selection: Selection,
  ): Promise<{ readonly items: readonly ApiObject[]; readonly revision: number }> {
    const page = this.#storage.list(collectionPrefix(this.resource, namespace));
    try {
      return { items: await this.#select(page.entries, selection), revision: page.revision };
    } catch (error) {
      throw interpretListError(error);
    }
  }

  /**
   * Waits until the storage has reached a version; returns undefined if it already has. For '' it waits until the storage is as fresh as
   * its backend.
   */
  #freshness(resourceVersion: string, caller: Caller): Promise<void> | undefined {
    const waiting =
      resourceVersion === ''
        ? this.#storage.waitFor(undefined, caller)
        : waitForVersion(this.#storage, resourceVersion, this.resource.dialect, caller);
    return waiting?.catch((error: unknown) => {
      throw interpretStoreError(error, 'notOlderThan');
    });
  }

  /**
   * Waits until this server has seen a revision, because another server on the same storage may have written it. The API dialect decides
   * whether a list waits for a revision that does not exist yet (spec 19.19).
   * @throws ApiError 504 when the revision is not reached in time.
   */
  async #waitForRevision(revision: number, text: string, caller: Caller): Promise<void> {
    if (revision <= this.#storage.revision) return;
    const waits = this.resource.dialect.rulings.exactListOfTheFuture === 'waits';
    await this.#freshness(waits ? text : '', caller);
  }

  async #continue(parameters: ListParameters, caller: Caller): Promise<ObjectList> {
    const { dialect } = this.resource;
    const { resourceVersion } = parameters;
    // A malformed version is refused before the token is decoded.
    if (resourceVersion !== '') storageRevision(resourceVersion);
    const token = decodeContinueToken(dialect, parameters.continueToken);
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw apiError.badRequest('specifying resource version is not allowed when using continue');
    const after = `${collectionPrefix(this.resource, parameters.namespace)}${keyBefore(token.start)}`;
    await this.#waitForRevision(token.revision, String(token.revision), caller);
    try {
      return await this.#page(parameters, token.revision < 0 ? { after } : { after, revision: token.revision });
    } catch (error) {
      const expired = error instanceof StoreError ? error.code === 'compacted' : isExpiredStatus(error);
      if (!expired) throw error;
      throw apiError.expired(TOO_OLD_TOKEN, encodeContinueToken(dialect, { ...token, revision: -1 }));
    }
  }

  async #page(parameters: ListParameters, from: { revision?: number; after?: string }): Promise<ObjectList> {
    const { namespace, selection, limit } = parameters;
    const name = this.#onlyName(parameters);
    if (name !== undefined && from.revision === undefined && from.after === undefined)
      return await this.#one(parameters, name);
    const prefix = collectionPrefix(this.resource, namespace);
    if (selection.everything && from.revision === undefined && from.after === undefined)
      return this.#listFirst(prefix, limit);
    const chunk = selection.everything ? limit : limit > 0 ? Math.max(limit, SCAN_CHUNK) : 0;
    let page = this.#read(prefix, { ...from, ...(chunk > 0 ? { limit: chunk } : {}) });
    if (selection.everything)
      return this.#answer(prefix, page, await this.#select(page.entries, selection), page.entries.at(-1), true);

    const items: ApiObject[] = [];
    const { revision } = page;
    let last: Entry<ApiObject> | undefined;
    for (;;) {
      if (this.#form.ready) await this.#ready(page.entries);
      for (const [index, entry] of page.entries.entries()) {
        if (index % AT_ONCE === 0) await yieldIfDue();
        const object = this.#form.fromStorage(entry.value);
        if (!selection.matches(object)) continue;
        items.push(object);
        last = entry;
        if (items.length === limit) {
          const more = page.remaining + page.entries.length - index - 1;
          return this.#answer(prefix, { ...page, revision, remaining: more }, items, last, false);
        }
      }
      if (page.remaining === 0) return this.#answer(prefix, { ...page, revision }, items, last, false);
      const after = page.entries.at(-1)?.key ?? '';
      page = this.#read(prefix, { revision, after, limit: SCAN_CHUNK });
    }
  }

  /**
   * Returns the newest state of a whole collection, or of its first page. The result is the same frozen array until the state changes, so
   * that its encoding can be cached by identity.
   */
  async #listFirst(prefix: string, limit: number): Promise<ObjectList> {
    const { revision } = this.#storage;
    const newest = this.#newest;
    if (newest?.prefix === prefix && newest.limit === limit && newest.revision === revision) {
      const items = newest.items.deref();
      if (items) return { metadata: newest.metadata, items };
    }
    const page = this.#storage.list(prefix, limit > 0 ? { limit } : {});
    if (this.#form.ready) await this.#ready(page.entries);
    const items = Object.freeze(page.entries.map(({ value }) => this.#form.fromStorage(value)));
    const list = this.#answer(prefix, page, items, page.entries.at(-1), true);
    this.#newest = { prefix, limit, revision, metadata: list.metadata, items: new WeakRef(items) };
    return list;
  }

  /** Returns the only name that a list can contain; undefined if it selects no name, or one that can exist in many namespaces. */
  #onlyName({ namespace, selection }: ListParameters): string | undefined {
    return this.resource.namespaced && namespace === '' ? undefined : selection.name;
  }

  /** Answers a list with the field selector `metadata.name=…` by reading that one object. */
  #one({ namespace, selection }: ListParameters, name: string): Promise<ObjectList> {
    const { revision } = this.#storage;
    const entry = this.#storage.get(objectKey(this.resource, namespace, name));
    const metadata = { resourceVersion: String(revision) };
    return this.#select(entry ? [entry] : [], selection).then((items) => ({ metadata, items }));
  }

  #read(prefix: string, options: { revision?: number; after?: string; limit?: number }): Page<ApiObject> {
    try {
      return this.#storage.list(prefix, options);
    } catch (error) {
      throw interpretStoreError(error, 'exact');
    }
  }

  async #select(entries: readonly Entry<ApiObject>[], selection: Selection): Promise<ApiObject[]> {
    if (this.#form.ready) await this.#ready(entries);
    const items: ApiObject[] = [];
    let index = 0;
    for (const { value } of entries) {
      if (index++ % AT_ONCE === 0) await yieldIfDue();
      const object = this.#form.fromStorage(value);
      if (selection.everything || selection.matches(object)) items.push(object);
    }
    return items;
  }

  /** Converts all entries of a page together, so that the conversion webhook is called once. */
  #ready(entries: readonly Entry<ApiObject>[]): Promise<void> | undefined {
    return this.#form.ready?.(entries.map(({ value }) => value));
  }

  #answer(
    prefix: string,
    page: Page<ApiObject>,
    items: readonly ApiObject[],
    last: Entry<ApiObject> | undefined,
    counted: boolean,
  ): ObjectList {
    const resourceVersion = String(page.revision);
    if (page.remaining === 0 || last === undefined) return { metadata: { resourceVersion }, items };
    const token = { revision: page.revision, start: `${last.key.slice(prefix.length)}\0` };
    return {
      metadata: {
        resourceVersion,
        continue: encodeContinueToken(this.resource.dialect, token),
        ...(counted ? { remainingItemCount: page.remaining } : {}),
      },
      items,
    };
  }
}

function isExpiredStatus(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'Expired';
}

/**
 * Parses the resourceVersion of a read; '' is 0. A value above 2^53 becomes the nearest JavaScript number, which is in the future anyway.
 * @throws ApiError without a `reason`, like upstream's watch cache. Its status depends on the API dialect (spec 19.20).
 */
export function parseResourceVersion(text: string, dialect: Dialect): number {
  try {
    return readVersion(text);
  } catch (error) {
    throw apiError.clientFault(dialect, invalidVersion(text, error));
  }
}

const readVersion = (text: string) => (text === '' ? 0 : Number(parseUnsigned(text)));
const invalidVersion = (text: string, error: unknown) =>
  `resourceVersion: Invalid value: ${quote(text)}: ${messageOf(error)}`;

/** Parses the resourceVersion of a paged, exact or continued list. @throws ApiError 400 with upstream's message for these lists. */
function storageRevision(text: string): number {
  try {
    return readVersion(text);
  } catch (error) {
    throw apiError.badRequest(`invalid resource version: ${invalidVersion(text, error)}`);
  }
}

/**
 * Waits until the storage has reached a version. If the caller's own deadline passes earlier, the wait ends at that deadline with the 504.
 * @throws ApiError 504 with the seconds to wait before a retry; StoreError when the store is closed.
 */
export async function waitForVersion(
  storage: Storage<ApiObject>,
  resourceVersion: string,
  dialect: Dialect,
  caller: Caller,
): Promise<void> {
  const revision = parseResourceVersion(resourceVersion, dialect);
  if (revision <= storage.revision) return;
  try {
    await storage.waitFor(revision, { signal: caller.signal });
  } catch (error) {
    const early = error instanceof StoreError && (error.code === 'aborted' || error.code === 'futureRevision');
    throw early ? apiError.tooLargeResourceVersion(parseUnsigned(resourceVersion), storage.revision) : error;
  }
}

/** Returns the object with the given name. @throws ApiError when no object has this name: the kind's own error, or 404. */
function getComputed(resource: ServedResource, kind: ComputedKind, name: string): ApiObject {
  const object = kind.list().find(({ metadata }) => metadata.name === name);
  if (object) return object;
  throw kind.absent?.(name, resource) ?? apiError.notFound(resource.groupResource, name);
}

/** Lists all selected objects. The list has no resourceVersion and therefore no pages. */
function listComputed(kind: ComputedKind, selection: Selection): ObjectList {
  return { metadata: {}, items: kind.list().filter((object) => selection.matches(object)) };
}
