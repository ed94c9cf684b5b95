import type { AdmissionPlugin } from '../admission/admission-plugin.js';
import type { JsonObject } from '../json/value.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Storage } from '../store/storage.js';
import { loadedOnce } from '../values/once.js';
import { OpenWatches } from './reads/open-watches.js';
import type { RequestContext } from './request-context.js';
import type { ResourceVerbs } from './resource-verbs.js';
import { servedForm } from './served/served-form.js';
import { collectionPrefix, loading, objectKey, type ServedResource } from './served/served-resource.js';
import type { Allocation } from './strategy.js';
import { seedApplied, seedObject } from './writes/seed.js';
import { type WriteEnvironment, writeOf } from './writes/write.js';

/** The verbs are loaded with the first request, so that a server starts without them. */
const loadVerbs = loadedOnce(() => import('./resource-verbs.js'));

type Verb = Exclude<keyof ResourceVerbs, symbol>;
type Asked<V extends Verb> = Parameters<ResourceVerbs[V]>;
type Answered<V extends Verb> = ReturnType<ResourceVerbs[V]>;

/** The generic flow of one resource: every verb, on top of the store, under the definition's rules ({@link ResourceVerbs}). */
export class ResourceStore {
  readonly resource: ServedResource;
  /** All open watches of the definition, including those opened in earlier snapshots. */
  readonly watches: OpenWatches;
  readonly #environment: WriteEnvironment;
  #verbs: ResourceVerbs | undefined;

  constructor(
    resource: ServedResource,
    storage: Storage<ApiObject>,
    admission: readonly AdmissionPlugin[],
    before?: ResourceStore,
  ) {
    const form = servedForm(resource);
    this.resource = resource;
    this.watches = before?.watches ?? new OpenWatches();
    const { allocation } = before ? before.#environment : { allocation: allocationOf(resource) };
    this.#environment = { resource, storage, form, admission, allocation };
  }

  /**
   * Resolves when the rules of the kind are loaded; undefined when they already are. The rules of a kind with stored objects are always
   * loaded.
   */
  loading(): Promise<unknown> | undefined {
    return loading(this.resource);
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

  /**
   * Stores an object that the server itself makes, without admission and the rules of its kind.
   * @param applied whether the body is applied to an existing object by the field manager; otherwise the object is created where it is
   * absent.
   */
  async seed(context: RequestContext, namespace: string, body: JsonObject, applied: boolean): Promise<void> {
    await this.loading();
    const write = writeOf(this.#environment, context, { namespace, name: '', subresource: '' }, {});
    await (applied ? seedApplied(write, body) : seedObject(write, body));
  }

  get(...asked: Asked<'get'>): Answered<'get'> {
    return this.#ask((verbs) => verbs.get(...asked));
  }
  list(...asked: Asked<'list'>): Answered<'list'> {
    return this.#ask((verbs) => verbs.list(...asked));
  }
  create(...asked: Asked<'create'>): Answered<'create'> {
    return this.#ask((verbs) => verbs.create(...asked));
  }
  replace(...asked: Asked<'replace'>): Answered<'replace'> {
    return this.#ask((verbs) => verbs.replace(...asked));
  }
  patch(...asked: Asked<'patch'>): Answered<'patch'> {
    return this.#ask((verbs) => verbs.patch(...asked));
  }
  apply(...asked: Asked<'apply'>): Answered<'apply'> {
    return this.#ask((verbs) => verbs.apply(...asked));
  }
  connect(...asked: Asked<'connect'>): Answered<'connect'> {
    return this.#ask((verbs) => verbs.connect(...asked));
  }
  admitConnection(...asked: Asked<'admitConnection'>): Answered<'admitConnection'> {
    return this.#ask((verbs) => verbs.admitConnection(...asked));
  }
  delete(...asked: Asked<'delete'>): Answered<'delete'> {
    return this.#ask((verbs) => verbs.delete(...asked));
  }
  remove(...asked: Asked<'remove'>): Answered<'remove'> {
    return this.#ask((verbs) => verbs.remove(...asked));
  }
  deleteUnasked(...asked: Asked<'deleteUnasked'>): Answered<'deleteUnasked'> {
    return this.#ask((verbs) => verbs.deleteUnasked(...asked));
  }
  change(...asked: Asked<'change'>): Answered<'change'> {
    return this.#ask((verbs) => verbs.change(...asked));
  }
  deleteCollection(...asked: Asked<'deleteCollection'>): Answered<'deleteCollection'> {
    return this.#ask((verbs) => verbs.deleteCollection(...asked));
  }
  watch(...asked: Asked<'watch'>): Answered<'watch'> {
    return this.#ask((verbs) => verbs.watch(...asked));
  }

  #ask<T>(ask: (verbs: ResourceVerbs) => Promise<T>): Promise<T> {
    if (this.#verbs) return ask(this.#verbs);
    const loaded = loadVerbs();
    const loadingRules = this.loading();
    const begin = ({ ResourceVerbs }: Awaited<typeof loaded>) => {
      this.#verbs ??= new ResourceVerbs(this.#environment, this.watches);
      return ask(this.#verbs);
    };
    if (loadingRules) return loadingRules.then(() => loaded).then(begin);
    return loaded instanceof Promise ? loaded.then(begin) : begin(loaded);
  }
}

/** Returns a function that makes the kind's allocation when it is first needed. */
function allocationOf({ definition }: ServedResource): WriteEnvironment['allocation'] {
  let made: Allocation<ApiObject> | undefined;
  return (host: Host) => (made ??= definition.allocation?.(host));
}
