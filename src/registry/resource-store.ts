import { AdmissionChain, NO_ADMISSION, type ServerAdmission } from '../admission/chain.js';
import { apiError } from '../meta/api-error.js';
import { run, yieldIfDue } from '../meta/flow.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Query } from '../meta/query.js';
import { byName } from '../schema/wire-order.js';
import { zeroValue } from '../schema/zero-value.js';
import type { Storage } from '../store/storage.js';
import {
  type Caller,
  type ListParameters,
  type ObjectList,
  parseResourceVersion,
  Reader,
  waitForVersion,
} from './reads/read.js';
import { ResourceWatch, type ResourceWatchOptions } from './reads/resource-watch.js';
import type { Selection } from './reads/selection.js';
import type { RequestContext } from './request-context.js';
import type { CreateSubresource, RelaySubresource } from './resource-definition.js';
import { servedForm } from './served/served-form.js';
import { servedPart } from './served/served-part.js';
import { collectionPrefix, objectKey, type ServedResource } from './served/served-resource.js';
import { interpretStoreError } from './store-errors.js';
import type { Allocation } from './strategy.js';
import { type ApplyOptions, applyTransform } from './transforms/apply.js';
import { type PatchDocument, patchTransform } from './transforms/patch.js';
import type { DecodedObject } from './type-problems.js';
import { createSubresource, createVirtual } from './writes/answer-post.js';
import { admitConnection } from './writes/connection.js';
import { createObject } from './writes/create.js';
import { type Deleted, deleteObject } from './writes/delete.js';
import type { DeleteOptions } from './writes/delete-options.js';
import { deduplicateOwners, placeObject } from './writes/prepare.js';
import { type Transform, type Updated, type UpdateTarget, updateObject } from './writes/update.js';
import { updatePart } from './writes/update-part.js';
import { type ObjectPath, untilCancelled, type WriteEnvironment, writeOf } from './writes/write.js';

export interface WatchParameters {
  readonly namespace: string;
  readonly selection: Selection;
  readonly resourceVersion: string;
  readonly bookmarks: boolean;
  /** Whether the existing objects are sent first; undefined when the request does not specify it. */
  readonly sendInitialEvents: boolean | undefined;
  /** Whether requests without `sendInitialEvents` get the bookmark at the end of the initial events, too (gate WatchList). */
  readonly initialEventsByDefault: boolean;
  /** The time after which the watch ends, in milliseconds. */
  readonly timeout: number;
  /** Whether the caller chose the timeout. */
  readonly hasOwnTimeout: boolean;
}

/** The number of objects that the DELETE of a collection lists at a time. */
const DELETED_PAGE = 10_000;

/** The generic implementation of one resource: every verb, on top of the store, according to the definition. */
export class ResourceStore {
  readonly resource: ServedResource;
  /** All open watches of the definition, including those that were opened before the last change of the registry. */
  readonly watches: OpenWatches;
  /** Reads the objects for clients, with every rule of resource versions. */
  readonly reader: Reader;
  readonly #environment: WriteEnvironment;
  readonly #admission: ServerAdmission;

  constructor(
    resource: ServedResource,
    storage: Storage<ApiObject>,
    admission: ServerAdmission,
    before?: ResourceStore,
  ) {
    const form = servedForm(resource);
    this.resource = resource;
    this.#admission = admission;
    this.watches = before?.watches ?? new OpenWatches();
    const { allocation } = before ? before.#environment : { allocation: allocationOf(resource) };
    const chain = new AdmissionChain(admission, resource.gvr);
    this.#environment = { resource, storage, form, admission: chain, allocation };
    this.reader = new Reader(resource, storage, form);
  }

  /**
   * Returns a store of the same resource that reads and writes the storage through a wrapper.
   * @param view returns the wrapper of the storage
   */
  through(view: (storage: Storage<ApiObject>) => Storage<ApiObject>): ResourceStore {
    return new ResourceStore(this.resource, view(this.#environment.storage), this.#admission, this);
  }

  /** Returns the object as it is at this moment, for the server's own use. */
  now(namespace: string, name: string): ApiObject | undefined | Promise<ApiObject> {
    const { storage, form } = this.#environment;
    const entry = storage.get(objectKey(this.resource, namespace, name));
    const ready = entry && form.ready?.([entry.value]);
    return ready ? ready.then(() => form.fromStorage(entry.value)) : entry && form.fromStorage(entry.value);
  }

  /** Returns all objects of a namespace as they are at this moment; '' means all namespaces. */
  allNow(namespace: string): readonly ApiObject[] | Promise<readonly ApiObject[]> {
    const { storage, form } = this.#environment;
    const stored = storage.list(collectionPrefix(this.resource, namespace)).entries.map(({ value }) => value);
    const ready = form.ready?.(stored);
    return ready ? ready.then(() => stored.map(form.fromStorage)) : stored.map(form.fromStorage);
  }

  /** Returns the newest version of an object, for writes of other resources. Requests read with {@link reader}. @throws ApiError 404 */
  get(namespace: string, name: string, resourceVersion: string, caller: Caller): ApiObject | Promise<ApiObject> {
    return this.reader.get(namespace, name, resourceVersion, caller);
  }

  /**
   * Handles POST: stores the object, or calls the code of a kind whose objects are not stored. Returns undefined when the response is a
   * Status.
   * @throws ApiError 422, 403, 409.
   */
  create(context: RequestContext, namespace: string, body: ApiObject, options: object): Promise<ApiObject | undefined> {
    const { virtual } = this.resource.definition;
    const write = writeOf(this.#environment, context, { namespace, name: '', subresource: '' }, options);
    return virtual && 'create' in virtual ? createVirtual(write, virtual, body) : createObject(write, body);
  }

  /** Handles PUT; creates an absent object if the kind allows that. @throws ApiError 400, 404, 409, 422, 403. */
  replace(context: RequestContext, at: ObjectPath, body: DecodedObject, options: object): Promise<Updated> {
    const { object, otherKind } = body;
    const write = writeOf(this.#environment, context, at, options);
    const { uid } = object.metadata;
    const part = at.subresource === '' ? undefined : servedPart(this.resource, at.subresource);
    if (part) return updatePart(write, part, (target) => replaceTransform(target, context, object), { uid });
    return updateObject(write, replaceTransform(write.target, context, object), {
      mayCreate: this.resource.definition.allowCreateOnUpdate ?? false,
      ...(uid === undefined ? {} : { uid }),
      otherKind,
    });
  }

  /** Handles every PATCH except apply. @throws ApiError 400, 404, 409, 422, 403. */
  patch(context: RequestContext, at: ObjectPath, document: PatchDocument, options: object): Promise<Updated> {
    const write = writeOf(this.#environment, context, at, options);
    const part = at.subresource === '' ? undefined : servedPart(this.resource, at.subresource);
    if (part) return updatePart(write, part, (target) => patchTransform(target, context, document));
    const transform = patchTransform(write.target, context, document);
    return updateObject(write, transform, { mayCreate: false });
  }

  /** Handles apply; creates an absent object. @throws ApiError 400, 404, 409, 422, 403. */
  apply(context: RequestContext, at: ObjectPath, document: ApplyOptions, options: object): Promise<Updated> {
    const write = writeOf(this.#environment, context, at, options);
    const part = at.subresource === '' ? undefined : servedPart(this.resource, at.subresource);
    if (part)
      return updatePart(write, part, (target) => applyTransform(target, context, document), { ownsFields: true });
    const transform = applyTransform(write.target, context, document);
    return updateObject(write, transform, {
      mayCreate: at.subresource === '',
      ownsFields: true,
    });
  }

  /**
   * Handles a POST to a subresource whose request and response bodies have a kind of their own (`at.kind`).
   * @throws ApiError 404, 422, 403 and what the subresource throws.
   */
  createSubresource(
    context: RequestContext,
    at: {
      readonly namespace: string;
      readonly name: string;
      readonly subresource: string;
      readonly kind: ServedResource;
    },
    definition: CreateSubresource<ApiObject>['create'],
    body: ApiObject,
    requestOptions: object,
  ): Promise<ApiObject | undefined> {
    const write = writeOf(this.#environment, context, at, requestOptions);
    const ofKind = { ...write, target: { ...write.target, resource: at.kind } };
    return createSubresource(
      ofKind,
      definition,
      body,
      async () => await this.reader.get(at.namespace, at.name, '', context),
    );
  }

  /**
   * Runs admission for a connection to the process behind an object (a container, a service). @throws ApiError when admission refuses it.
   */
  async admitConnection(
    context: RequestContext,
    at: ObjectPath,
    relay: RelaySubresource<ApiObject>['relay'],
    query: Query,
  ): Promise<void> {
    // A subresource with the object's own kind returns text (`/log`). Such a request is a get and not a CONNECT, so admission does not run.
    if (relay.kind !== this.resource.gvk.kind)
      await run(admitConnection(writeOf(this.#environment, context, at, {}), relay, query));
  }

  /** @throws ApiError 404, 409, 403. */
  async delete(context: RequestContext, namespace: string, name: string, options: DeleteOptions): Promise<Deleted> {
    this.resource.definition.strategy?.beforeDelete?.(name, context, options);
    return await deleteObject(
      writeOf(this.#environment, context, { namespace, name, subresource: '' }, options),
      options,
    );
  }

  /** Deletes an object because another one was deleted, without admission. An absent object is not an error. */
  async remove(context: RequestContext, namespace: string, name: string): Promise<void> {
    try {
      await this.deleteUnasked(context, namespace, name, {});
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Deletes an object as part of another write, without admission. @throws ApiError 404, 409 */
  deleteUnasked(context: RequestContext, namespace: string, name: string, options: DeleteOptions): Promise<Deleted> {
    const { environment, ...write } = writeOf(this.#environment, context, { namespace, name, subresource: '' }, {});
    return deleteObject({ ...write, environment: { ...environment, admission: NO_ADMISSION } }, options);
  }

  /**
   * Changes an object as part of another write, without admission and without its kind's strategy. No manager owns the changed fields.
   * @throws ApiError 404, and what `change` throws.
   */
  async change(
    context: RequestContext,
    namespace: string,
    name: string,
    change: (current: ApiObject) => ApiObject,
  ): Promise<ApiObject> {
    const { environment, ...write } = writeOf(this.#environment, context, { namespace, name, subresource: '' }, {});
    const { resource } = environment;
    const { strategy: _, ...definition } = resource.definition;
    const unruled = { ...resource, definition: { ...definition, tracksGeneration: false } };
    const transform: Transform = (current) => {
      if (!current) throw apiError.notFound(resource.groupResource, name);
      return change(current);
    };
    const { object } = await updateObject(
      { ...write, environment: { ...environment, resource: unruled, admission: NO_ADMISSION } },
      transform,
      { mayCreate: false, ownsFields: true },
    );
    return object;
  }

  /**
   * Lists objects, deletes them one after the other, and returns the list (spec 7.5).
   * @param withoutAdmission whether the deletions skip admission. Default false.
   */
  async deleteCollection(
    context: RequestContext,
    parameters: ListParameters,
    options: DeleteOptions,
    withoutAdmission = false,
  ): Promise<ObjectList> {
    this.resource.definition.strategy?.beforeDelete?.(undefined, context, options);
    const found = await this.#listPages(parameters, context);
    const environment = withoutAdmission ? { ...this.#environment, admission: NO_ADMISSION } : this.#environment;
    for (const { metadata } of found.items) {
      const turn = yieldIfDue();
      if (turn) await untilCancelled({ context }, turn);
      try {
        const at = { namespace: metadata.namespace ?? '', name: metadata.name ?? '', subresource: '' };
        const { target, ...write } = writeOf(environment, context, at, options);
        await deleteObject({ ...write, target: { ...target, ofCollection: true } }, options);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    return found;
  }

  /**
   * Lists in pages, as upstream does for the DELETE of a collection: a resourceVersion without a resourceVersionMatch is exact, as in every
   * list with a limit. The metadata is that of the first page.
   */
  async #listPages(parameters: ListParameters, caller: Caller): Promise<ObjectList> {
    if (parameters.limit > 0) return await this.reader.list(parameters, caller);
    const inPages = { ...parameters, limit: DELETED_PAGE };
    const { metadata, items: first } = await this.reader.list(inPages, caller);
    const items = [...first];
    for (let next = metadata.continue; next !== undefined; ) {
      const page = { ...inPages, continueToken: next, resourceVersion: '', resourceVersionMatch: '' };
      const found = await this.reader.list(page, caller);
      for (const item of found.items) items.push(item);
      next = found.metadata.continue;
    }
    return { metadata, items };
  }

  /**
   * Opens a watch. It ends when its definition is uninstalled. If the requested version is compacted or not reached in time, the watch
   * sends an ERROR event.
   * @throws ApiError 500 for a version that is not a number.
   */
  async watch(context: RequestContext, parameters: WatchParameters): Promise<ResourceWatch> {
    return this.watches.add(await this.#openWatch(context, parameters));
  }

  async #openWatch(context: RequestContext, parameters: WatchParameters): Promise<ResourceWatch> {
    const { resource, storage, form } = this.#environment;
    const { namespace, selection, resourceVersion, sendInitialEvents } = parameters;
    const version = resourceVersion === '' ? 0 : parseResourceVersion(resourceVersion, resource.dialect);
    const one = selection.name !== undefined && (!resource.namespaced || namespace !== '') ? selection.name : undefined;
    const options: ResourceWatchOptions = {
      storage,
      form,
      clock: context.host.clock,
      selection,
      prefix: one === undefined ? collectionPrefix(resource, namespace) : objectKey(resource, namespace, one),
      exact: one !== undefined,
      initial: [],
      fromRevision: version,
      initialEventsEnd: false,
      bookmarks: parameters.bookmarks,
      bookmark: (revision, initialEventsEnd) => this.#bookmark(revision, initialEventsEnd),
      timeout: parameters.timeout,
      hasOwnTimeout: parameters.hasOwnTimeout,
      onEnd: (watch) => this.watches.forget(watch),
    };
    const wantsInitial = sendInitialEvents ?? version === 0;
    try {
      // A watch "from the newest version" must not begin before the writes that other servers have already made.
      if (version === 0) await storage.waitFor(undefined, { signal: context.signal });
      else if (wantsInitial) await waitForVersion(storage, resourceVersion, resource.dialect, context);
    } catch (error) {
      return ResourceWatch.failed(options, interpretStoreError(error, 'notOlderThan'));
    }
    if (!wantsInitial)
      return new ResourceWatch({ ...options, fromRevision: version === 0 ? storage.revision : version });
    const { items, revision } = await this.reader.snapshot(namespace, selection);
    const marks = sendInitialEvents ?? parameters.initialEventsByDefault;
    return new ResourceWatch({
      ...options,
      initial: items,
      fromRevision: revision,
      initialEventsEnd: marks && parameters.bookmarks,
    });
  }

  #bookmark(revision: number, initialEventsEnd: boolean): ApiObject {
    const { definition, gvk, apiVersion, dialect } = this.resource;
    // The zero value of a kind's schema is an object, so the cast is safe.
    const zero = definition.decoding === 'typed' ? (zeroValue(definition.schema) as unknown as ApiObject) : undefined;
    const metadata = {
      resourceVersion: String(revision),
      ...(zero ? { creationTimestamp: null } : {}),
      ...(initialEventsEnd ? { annotations: { [`${dialect.bareDomain}/initial-events-end`]: 'true' } } : {}),
    };
    const bookmark = { kind: gvk.kind, apiVersion, ...zero, metadata };
    return zero ? bookmark : byName(bookmark);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'NotFound';
}

/** Returns a function that creates the kind's allocation when it is first needed; undefined for kinds without one. */
function allocationOf({ definition }: ServedResource): WriteEnvironment['allocation'] {
  if (!definition.allocation) return undefined;
  let allocation: Allocation<ApiObject> | undefined;
  return (host: Host) => (allocation ??= definition.allocation?.(host));
}

/** Returns a transform that replaces the stored object. @throws ApiError 400 when the namespace or name differs from the path's. */
function replaceTransform(target: UpdateTarget, context: RequestContext, replacement: ApiObject): Transform {
  const object = deduplicateOwners(placeObject(target.resource, replacement, target), context);
  return () => object;
}

/** The open watches of one served definition. They end when it is uninstalled, and survive other changes of the registry. */
class OpenWatches {
  /** The set is created with the first watch, because a server has many kinds and few of them are watched. */
  #open: Set<ResourceWatch> | undefined;
  #retired = false;

  /** Removes a watch that has ended. */
  forget(watch: ResourceWatch): void {
    this.#open?.delete(watch);
  }

  /** Keeps a watch while it runs. If the kind was uninstalled after the request began, the watch ends at once. */
  add(watch: ResourceWatch): ResourceWatch {
    if (this.#retired) watch.close();
    else if (!watch.ended) (this.#open ??= new Set()).add(watch);
    return watch;
  }

  /** Ends all watches once their readers have taken the waiting events. A watch that is added later is closed immediately. */
  retire(): void {
    this.#retired = true;
    for (const watch of [...(this.#open ?? [])]) watch.finish();
  }
}
