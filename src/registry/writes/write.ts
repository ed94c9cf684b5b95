import type { AdmissionChain } from '../../admission/chain.js';
import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import { type Flow, run, untilAborted } from '../../meta/flow.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import {
  type Entry,
  type Storage,
  StoreError,
  type TryUpdate,
  type UpdateOptions,
  type UpdateResult,
} from '../../store/storage.js';
import { edit, withMetadata } from '../edit.js';
import type { RequestContext } from '../request-context.js';
import type { ServedForm } from '../served/served-form.js';
import type { ServedResource } from '../served/served-resource.js';
import { interpretStoreError } from '../store-errors.js';
import type { Allocation, Claim } from '../strategy.js';

/** The environment that all writes of one resource share. */
export interface WriteEnvironment {
  readonly resource: ServedResource;
  readonly storage: Storage<ApiObject>;
  readonly form: ServedForm;
  readonly admission: AdmissionChain;
  /** Returns the allocation of values that no two objects of the kind may share. Most kinds have none. */
  readonly allocation: ((host: Host) => Allocation<ApiObject> | undefined) | undefined;
}

/** The target of a write. */
export interface WriteTarget {
  readonly resource: ServedResource;
  /** The subresource; '' for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Whether the object is one of many in a DELETE of a collection: admission then does not see its name. */
  readonly ofCollection?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** One write: its environment, its target and its request. */
export interface Write {
  readonly environment: WriteEnvironment;
  readonly target: WriteTarget;
  readonly context: RequestContext;
}

/** The object that the path of a write names. */
export interface ObjectPath {
  readonly namespace: string;
  readonly name: string;
  /** The subresource; '' for the object itself. */
  readonly subresource: string;
}

export function writeOf(
  environment: WriteEnvironment,
  context: RequestContext,
  at: ObjectPath,
  options: object,
): Write {
  const { namespace, name, subresource } = at;
  // The options are only read, member by member, so the cast is safe.
  const named = options as Readonly<Record<string, unknown>>;
  const target = { resource: environment.resource, subresource, namespace, name, options: named };
  return { environment, target, context };
}

/**
 * Writes an entry of the storage for a request, as long as the request's fence holds.
 * @param dependsOn returns the key prefixes that the result of `tryUpdate` depends on, see {@link UpdateOptions}.
 * @throws ApiError for the errors of {@link Storage.guaranteedUpdate}, 503 when the fence does not hold, and what `tryUpdate` throws.
 */
export async function updateStored(
  write: Write,
  key: string,
  tryUpdate: TryUpdate<ApiObject>,
  dependsOn?: () => readonly string[],
): Promise<UpdateResult<ApiObject>> {
  const { storage } = write.environment;
  const { fence, observer } = write.context;
  // Only the last attempt is reported, because the attempts before it lost to concurrent writes and stored nothing.
  let before: Entry<ApiObject> | undefined;
  const observed: TryUpdate<ApiObject> = (current) => {
    before = current;
    fence?.check();
    return tryUpdate(current);
  };
  const attempt = fence || observer ? observed : tryUpdate;
  const keys = fence ? () => [fence.key, ...(dependsOn?.() ?? NO_KEYS)] : dependsOn;
  try {
    const result = await storage.guaranteedUpdate(key, attempt, new WaitOptions(write.context, keys));
    observer?.stored(before, result.outcome === 'deleted' ? undefined : result.entry);
    return result;
  } catch (error) {
    throw error instanceof StoreError ? interpretStoreError(error, 'write') : error;
  }
}

/** Waits until the storage contains every write that was committed before the call. @throws ApiError for the same reasons as a write */
export async function newestState({ environment, context }: Write): Promise<void> {
  try {
    await environment.storage.waitFor(undefined, new WaitOptions(context, undefined));
  } catch (error) {
    throw interpretStoreError(error, 'write');
  }
}

const NO_KEYS: readonly string[] = [];

/**
 * The options of a write that stops waiting when the request's signal is aborted. The signal is read through a getter, because creating it
 * is expensive and few writes wait.
 */
class WaitOptions implements UpdateOptions {
  readonly #context: RequestContext;
  readonly #dependsOn: (() => readonly string[]) | undefined;

  constructor(context: RequestContext, dependsOn: (() => readonly string[]) | undefined) {
    this.#context = context;
    this.#dependsOn = dependsOn;
  }

  get dependsOn(): readonly string[] {
    return this.#dependsOn?.() ?? NO_KEYS;
  }
  get signal(): AbortSignal {
    return this.#context.signal;
  }
}

/**
 * Runs a {@link Flow} and returns its result. The call fails as soon as the caller has disconnected or the deadline of the request has
 * passed, so that nothing is stored.
 * @throws ApiError 504
 */
export function runInTime<T>(write: Pick<Write, 'context'>, flow: Flow<T>): T | Promise<T> {
  const answer = run(flow);
  return answer instanceof Promise ? untilCancelled(write, answer) : answer;
}

/**
 * Waits for a result. The wait fails when the caller disconnects or the deadline of the request passes, as in {@link runInTime}. @throws
 * ApiError 504
 */
export function untilCancelled<T>({ context }: Pick<Write, 'context'>, answer: T | Promise<T>): T | Promise<T> {
  if (!(answer instanceof Promise)) return answer;
  return untilAborted(answer, context.signal, () => {
    context.trackAbandoned?.(answer);
    return callerGone();
  });
}

/**
 * Returns the result unchanged. If the caller disconnects or the deadline of the request passes first, the promise of the result is passed
 * to `context.trackAbandoned`, as in {@link runInTime}.
 */
export function trackWhenAbandoned<T>({ context }: Pick<Write, 'context'>, answer: T | Promise<T>): T | Promise<T> {
  if (!(answer instanceof Promise) || !context.trackAbandoned) return answer;
  const { signal } = context;
  const track = () => context.trackAbandoned?.(answer);
  if (signal.aborted) track();
  signal.addEventListener('abort', track, { once: true });
  const stopListening = () => signal.removeEventListener('abort', track);
  answer.then(stopListening, stopListening);
  return answer;
}

const callerGone = (): Error =>
  interpretStoreError(new StoreError('aborted', 'the caller has stopped waiting'), 'write') as Error;

/**
 * Allocates the values (addresses, ports) of a new object, or of an update of `old`, if the kind allocates any.
 * @param claims collects the reservations of the values. The caller that begins a write must end them, even if it fails.
 * @throws ApiError
 */
export function withAllocated(
  { environment, target, context }: Write,
  object: ApiObject,
  old: ApiObject | undefined,
  claims: Claim[],
): ApiObject {
  const allocation = target.subresource === '' ? environment.allocation?.(context.host) : undefined;
  if (!allocation) return object;
  return edit(object, (draft) => {
    claims.push(old ? allocation.update(draft, old, context) : allocation.create(draft, context));
  });
}

/** The maximum size of a request that etcd accepts, in bytes (spec 18.1). */
const MAX_STORED_BYTES = 1.5 * 1024 * 1024;
/** The maximum size of a request that upstream's etcd client sends, in bytes. The client refuses a larger one with a message of its own. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;

/**
 * Returns the object in its stored form. The size is checked before the conversion, and again after an asynchronous conversion, because a
 * webhook may make the object larger.
 * @throws ApiError as {@link withinStoredSize}, and what the conversion throws.
 */
export function toStorable(
  { toStorage }: ServedForm,
  object: ApiObject,
  keepsOwners: boolean,
  dialect: Dialect,
): ApiObject | Promise<ApiObject> {
  const stored = toStorage(withinStoredSize(object, keepsOwners, dialect));
  return stored instanceof Promise ? stored.then((each) => withinStoredSize(each, keepsOwners, dialect)) : stored;
}

/**
 * Returns the object, without managedFields if it is too large with them (spec 18.1).
 * @param keepsOwners whether managedFields must stay because the write is an apply
 * @throws ApiError for an object that is still too large. The status depends on the API dialect (spec 19.20).
 */
function withinStoredSize(object: ApiObject, keepsOwners: boolean, dialect: Dialect): ApiObject {
  if (sizeOf(object, MAX_STORED_BYTES) <= MAX_STORED_BYTES) return object;
  const bare = keepsOwners ? object : withMetadata(object, { managedFields: undefined });
  const size = sizeOf(bare, Number.POSITIVE_INFINITY);
  if (size <= MAX_STORED_BYTES) return bare;
  throw apiError.clientFault(
    dialect,
    size <= MAX_SENT_BYTES
      ? 'etcdserver: request is too large'
      : `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${MAX_SENT_BYTES})`,
  );
}

/** Returns whether an object is too large to be stored even without managedFields. */
export function isTooLarge(object: ApiObject): boolean {
  return sizeOf(withMetadata(object, { managedFields: undefined }), MAX_STORED_BYTES) > MAX_STORED_BYTES;
}

/**
 * Estimates the length of a value's JSON, without escapes. Counting stops once the length exceeds `bound`. The function is not recursive,
 * so a deeply nested value cannot overflow the stack.
 */
function sizeOf(value: object, bound: number): number {
  let size = 0;
  const open: unknown[] = [value];
  while (size <= bound && open.length > 0) {
    const part = open.pop();
    if (typeof part === 'string') size += part.length + 3;
    else if (typeof part !== 'object' || part === null) size += 5;
    else if (Array.isArray(part)) {
      size += 3;
      for (const item of part) open.push(item);
    } else {
      size += 3;
      for (const name in part) {
        size += name.length + 3;
        open.push(Reflect.get(part, name));
      }
    }
  }
  return size;
}
