import { isConflict, isInvalid } from '../meta/api-error.js';
import type { Clock } from '../meta/clock.js';
import type { ApiList, ApiObject } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import { headersOf } from '../meta/request-headers.js';
import type { Status } from '../meta/status.js';
import { editFor } from '../registry/edit.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { type ServedResource, serveResource } from '../registry/served/served-resource.js';
import type { Draft } from '../registry/strategy.js';
import {
  type Applied,
  type ApplyCallOptions,
  checkCallOptions,
  type DeleteCallOptions,
  type GetCallOptions,
  type ListCallOptions,
  type New,
  type PatchCallOptions,
  type PatchKind,
  type WatchCallOptions,
  type WriteCallOptions,
} from './call-options.js';
import {
  collectionPath,
  localRequest,
  metadataOf,
  namespacePath,
  objectPath,
  type Parameters,
} from './call-request.js';
import type { ClientAnswer, ClientConnection, ResourcesChange } from './connection.js';
import { patchBetween } from './differences.js';
import { type TypedChange, TypedWatch, type TypedWatchEvent } from './typed-watch.js';

export type {
  Applied,
  ApplyCallOptions,
  CallOptions,
  DeleteCallOptions,
  GetCallOptions,
  ListCallOptions,
  New,
  PatchCallOptions,
  PatchKind,
  WatchCallOptions,
  WriteCallOptions,
} from './call-options.js';
export type { ClientConnection, ResourcesChange } from './connection.js';

const PATCH_TYPES: Readonly<Record<PatchKind, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

const APPLY = 'application/apply-patch+yaml';

/** The number of attempts after which `update` and `patch` give up if another writer was faster each time. */
const MAX_CONFLICTS = 100;

/**
 * A typed client that acts as one user. In process it uses no socket and does not serialize objects, but requests run through the whole
 * pipeline. Returned objects are shared and frozen; arguments are copied.
 */
export class Client {
  /** The clock for retries and other waits of this client: in process the server's clock, else the clock in the client's options. */
  readonly clock: Clock;
  /** The source of random values, for example for the jitter of waits. */
  readonly random: Random;
  readonly #connection: ClientConnection;
  readonly #userAgent: string;
  /** The headers of all requests except patches. They are created on first use, because the clients of most controllers send no request. */
  #headers: RequestHeaders | undefined;

  constructor(connection: ClientConnection, userAgent: string) {
    this.clock = connection.clock;
    this.random = connection.random;
    this.#connection = connection;
    this.#userAgent = userAgent;
  }

  /** Returns all kinds that the server stores, without duplicates. */
  resources(): readonly ServedResource[] {
    return this.#connection.resources();
  }

  /**
   * Calls `callback` whenever kinds have been added to or removed from {@link resources}. The argument lists these kinds if the server is
   * in this process; else it is undefined.
   * @returns a function that stops the calls.
   */
  onResourcesChange(callback: (change: ResourcesChange | undefined) => void): () => void {
    return this.#connection.onResourcesChange(callback);
  }

  /**
   * Reads an object.
   * @throws ApiError NotFound, Forbidden.
   */
  async get<T extends ApiObject>(kind: ResourceDefinition<T>, name: string, options: GetCallOptions = {}): Promise<T> {
    checkCallOptions('get', options);
    const { namespace, subresource, signal, ...parameters } = options;
    return this.#object(
      await this.#call('GET', objectPath(this.#resource(kind), namespace, name, subresource), parameters, { signal }),
    );
  }

  /**
   * Lists the objects of a kind: of one namespace, or of all namespaces without the option `namespace`.
   * @throws ApiError NotFound, Forbidden.
   */
  async list<T extends ApiObject>(kind: ResourceDefinition<T>, options: ListCallOptions = {}): Promise<ApiList<T>> {
    checkCallOptions('list', options);
    const { namespace, signal, ...parameters } = options;
    const result = await this.#call('GET', collectionPath(this.#resource(kind), namespace), parameters, { signal });
    if (result.type !== 'list') throw new TypeError('the server did not return a list for a list request');
    const { metadata, items } = result;
    // The path determines the kind of the items, so the cast is safe.
    const { apiVersion } = this.#resource(kind);
    return { apiVersion, kind: kind.listKind, metadata, items: items as readonly T[] };
  }

  /**
   * Watches a collection. Without `resourceVersion`, the watch begins with an ADDED event for each existing object. `break`, `close()` or
   * the signal ends the watch.
   */
  watch<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    options?: WatchCallOptions & { readonly allowWatchBookmarks?: false },
  ): TypedWatch<T, TypedChange<T>>;
  watch<T extends ApiObject>(kind: ResourceDefinition<T>, options: WatchCallOptions): TypedWatch<T>;
  watch<T extends ApiObject>(kind: ResourceDefinition<T>, options: WatchCallOptions = {}): TypedWatch<T> {
    checkCallOptions('watch', options);
    const { namespace, signal, ...parameters } = options;
    const match = options.sendInitialEvents === undefined ? {} : { resourceVersionMatch: 'NotOlderThan' };
    return new TypedWatch<T>(async () => {
      const result = await this.#call(
        'GET',
        collectionPath(this.#resource(kind), namespace),
        { ...parameters, ...match, watch: true },
        { signal },
      );
      if (result.type !== 'watch') throw new TypeError('the server did not return a watch for a watch request');
      // The path determines the kind of the objects, so the cast is safe.
      return result.watch as unknown as AsyncIterable<TypedWatchEvent<T>> & { close(): void };
    }, signal);
  }

  /**
   * Creates an object.
   * @throws ApiError AlreadyExists, Invalid, Forbidden.
   * @throws TypeError if the kind is namespaced and neither the options nor the object contain a namespace.
   */
  async create<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    object: New<T>,
    options: WriteCallOptions = {},
  ): Promise<T> {
    checkCallOptions('create', options);
    const namespace = options.namespace ?? metadataOf(object).namespace;
    const resource = this.#resource(kind);
    const { apiVersion, gvk } = resource;
    const body = this.#connection.isRemote ? { apiVersion, kind: gvk.kind, ...object } : object;
    return this.#object(await this.#write('POST', namespacePath(resource, namespace), body, options));
  }

  /**
   * Posts to a subresource that has a kind of its own: `token` of a service account returns a TokenRequest, `eviction` and `binding` of a
   * pod return a Status.
   * @throws ApiError NotFound, Invalid, Forbidden, TooManyRequests for an eviction that a budget does not allow yet.
   */
  async createSubresource<R extends ApiObject | Status>(
    kind: ResourceDefinition,
    name: string,
    subresource: string,
    body: object,
    options: WriteCallOptions = {},
  ): Promise<R> {
    checkCallOptions('createSubresource', options);
    const result = await this.#write(
      'POST',
      objectPath(this.#resource(kind), options.namespace, name, subresource),
      body,
      options,
    );
    // The subresource determines the type R, so the cast is safe.
    return (result.type === 'status' ? result.object : this.#object(result)) as R;
  }

  /**
   * Replaces a stored object as a whole (PUT).
   * @throws ApiError Conflict, NotFound, Invalid.
   */
  async replace<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    object: T,
    options: WriteCallOptions = {},
  ): Promise<T> {
    checkCallOptions('replace', options);
    const { name = '', namespace } = metadataOf(object);
    const path = objectPath(this.#resource(kind), options.namespace ?? namespace, name, options.subresource);
    return this.#object(await this.#write('PUT', path, object, options));
  }

  /**
   * Reads an object, edits a draft of it with `recipe`, and replaces it. If another writer causes a conflict, the method starts again, with
   * up to 100 attempts in all, so the recipe may run more than once.
   * @throws ApiError NotFound, Invalid, Conflict; TypeError for a recipe that is async or returns another object.
   */
  async update<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    name: string,
    recipe: (draft: Draft<T>) => void,
    options: WriteCallOptions = {},
  ): Promise<T> {
    checkCallOptions('update', options);
    const { namespace, signal } = options;
    for (let attempt = 1; ; attempt++) {
      const current = await this.get(kind, name, {
        ...(namespace === undefined ? {} : { namespace }),
        ...(signal ? { signal } : {}),
      });
      const next = editFor(current, recipe);
      if (next === current) return current;
      try {
        return await this.replace(kind, next, options);
      } catch (error) {
        if (!isConflict(error) || signal?.aborted || attempt === MAX_CONFLICTS) throw error;
      }
    }
  }

  /**
   * Changes an object by a patch, or by a recipe that edits a draft of the current object. The changes of a recipe are sent as a JSON Patch
   * that tests the values it replaces. If another writer has changed these values, the recipe runs again, up to 100 times.
   * @throws ApiError NotFound, Invalid, Forbidden.
   */
  async patch<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    name: string,
    change: object | ((draft: Draft<T>) => void),
    options: PatchCallOptions = {},
  ): Promise<T> {
    checkCallOptions('patch', options);
    const { type = 'merge', ...rest } = options;
    if (typeof change === 'function') return this.#patchByRecipe(kind, name, change as (draft: Draft<T>) => void, rest);
    const path = objectPath(this.#resource(kind), options.namespace, name, options.subresource);
    return this.#object(await this.#write('PATCH', path, change, rest, PATCH_TYPES[type]));
  }

  async #patchByRecipe<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    name: string,
    recipe: (draft: Draft<T>) => void,
    options: WriteCallOptions,
  ): Promise<T> {
    const { namespace, signal } = options;
    const read = () =>
      this.get(kind, name, { ...(namespace === undefined ? {} : { namespace }), ...(signal ? { signal } : {}) });
    let current = await read();
    for (let attempt = 1; ; attempt++) {
      const next = editFor(current, recipe);
      if (next === current) return current;
      const operations = await patchBetween(current, next);
      try {
        return await this.patch(kind, name, operations, { ...options, type: 'json' });
      } catch (error) {
        const seen = current.metadata.resourceVersion;
        if (!isInvalid(error) || signal?.aborted || attempt === MAX_CONFLICTS) throw error;
        current = await read();
        // The object has not changed, so the patch itself was refused and another attempt would fail, too.
        if (current.metadata.resourceVersion === seen) throw error;
      }
    }
  }

  /**
   * Applies an object on the server side: exactly the fields in `object` are then owned by the field manager.
   * @throws ApiError Conflict, Invalid.
   */
  async apply<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    object: Applied<T>,
    options: ApplyCallOptions = {},
  ): Promise<T> {
    checkCallOptions('apply', options);
    const { force, fieldManager = this.#userAgent, ...rest } = options;
    const { name = '', namespace } = metadataOf(object);
    const { apiVersion, gvk } = this.#resource(kind);
    const path = objectPath(this.#resource(kind), options.namespace ?? namespace, name, options.subresource);
    const body = { apiVersion, kind: gvk.kind, ...object };
    return this.#object(await this.#write('PATCH', path, body, { ...rest, fieldManager }, APPLY, { force }));
  }

  /**
   * Deletes an object. Returns the object if finalizers delay its deletion, else a Status or the last state of the object.
   * @throws ApiError NotFound, Conflict.
   */
  async delete<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    name: string,
    options: DeleteCallOptions = {},
  ): Promise<T | Status> {
    checkCallOptions('delete', options);
    const { namespace, signal } = options;
    const result = await this.#call(
      'DELETE',
      objectPath(this.#resource(kind), namespace, name),
      {},
      { body: deleteBody(options), signal },
    );
    return result.type === 'status' ? result.object : this.#object(result);
  }

  /**
   * Deletes the objects of one namespace, or of a cluster-scoped kind, that the selectors match.
   * @throws ApiError Forbidden.
   */
  async deleteCollection<T extends ApiObject>(
    kind: ResourceDefinition<T>,
    options: DeleteCallOptions & ListCallOptions = {},
  ): Promise<void> {
    checkCallOptions('deleteCollection', options);
    const { namespace, signal, labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
    const selection = { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch };
    const parameters = { ...selection, continue: options.continue };
    await this.#call('DELETE', namespacePath(this.#resource(kind), namespace), parameters, {
      body: deleteBody(options),
      signal,
    });
  }

  #write(
    method: string,
    path: string,
    body: object,
    options: WriteCallOptions,
    contentType?: string,
    parameters: Parameters = {},
  ): Promise<ClientAnswer> {
    const { dryRun, fieldManager, signal } = options;
    return this.#call(
      method,
      path,
      { dryRun: dryRun ? 'All' : undefined, fieldManager, ...parameters },
      { body, signal, ...(contentType === undefined ? {} : { contentType }) },
    );
  }

  #call(
    method: string,
    path: string,
    parameters: Parameters | object,
    { body, signal, contentType }: { body?: object; signal: AbortSignal | undefined; contentType?: string },
  ): Promise<ClientAnswer> {
    const headers =
      contentType === undefined
        ? (this.#headers ??= headersOf({ 'user-agent': this.#userAgent }))
        : headersOf({ 'user-agent': this.#userAgent, 'content-type': contentType });
    const request = localRequest(method, path, parameters as Parameters, {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    return this.#connection.execute(request);
  }

  #object<T extends ApiObject>(result: ClientAnswer): T {
    if (result.type !== 'object') throw new TypeError(`the server returned a ${result.type} instead of an object`);
    return result.object as T; // The path determines the kind of the object, so the cast is safe.
  }

  #resource(kind: ResourceDefinition): ServedResource {
    if (typeof kind?.plural !== 'string')
      throw new TypeError('give a kind, such as configMap or what defineResource returns');
    return serveResource(kind, this.#connection.dialect);
  }
}

function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteCallOptions): object {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds, propagationPolicy, preconditions };
  return dryRun ? { ...body, dryRun: ['All'] } : body;
}
