import type { AdmissionPlugin } from '../../admission/admission-plugin.js';
import { type Flow, run } from '../../meta/flow.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type Storage, StoreError, type UpdateOptions } from '../../store/storage.js';
import { untilAborted } from '../../values/until-aborted.js';
import type { RequestContext } from '../request-context.js';
import type { ServedForm } from '../served/served-form.js';
import type { ServedResource } from '../served/served-resource.js';
import { interpretStoreError } from '../store-errors.js';
import type { Allocation } from '../strategy.js';

/** What every write of one resource works with. */
export interface WriteEnvironment {
  readonly resource: ServedResource;
  readonly storage: Storage<ApiObject>;
  readonly form: ServedForm;
  /** The admission chain, in run order. */
  readonly admission: readonly AdmissionPlugin[];
  /** What gives objects of the kind what they do not share; undefined for most kinds. */
  readonly allocation: (host: Host) => Allocation<ApiObject> | undefined;
}

/** Where a write is aimed. */
export interface WriteTarget {
  readonly resource: ServedResource;
  /** '' for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** One of many that a DELETE of a collection is about: admission does not see which. */
  readonly ofCollection?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** One write: what it works with, where it is aimed, and what its request says. */
export interface Write {
  readonly environment: WriteEnvironment;
  readonly target: WriteTarget;
  readonly context: RequestContext;
}

/** Which object a write is about, as its path says. */
export interface ObjectPath {
  readonly namespace: string;
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

export function writeOf(
  environment: WriteEnvironment,
  context: RequestContext,
  at: ObjectPath,
  options: object,
): Write {
  const { namespace, name, subresource } = at;
  const named = options as Readonly<Record<string, unknown>>; // read by name only
  const target = { resource: environment.resource, subresource, namespace, name, options: named };
  return { environment, target, context };
}

/** Waits as long as the caller does. The signal is made only when there is something to wait for: most writes do not wait. */
export function waitOptions({ context }: Pick<Write, 'context'>, dependsOn?: () => readonly string[]): UpdateOptions {
  return {
    get dependsOn() {
      return dependsOn?.() ?? [];
    },
    get signal() {
      return context.signal;
    },
  };
}

/** What a flow answers, if it does so while the caller waits: beyond, nothing of it is stored. @throws ApiError 504 */
export function runInTime<T>(write: Pick<Write, 'context'>, flow: Flow<T>): T | Promise<T> {
  return whileWanted(write, run(flow));
}

/** The same for what is under way. */
export function whileWanted<T>({ context }: Pick<Write, 'context'>, answer: T | Promise<T>): T | Promise<T> {
  if (!(answer instanceof Promise)) return answer;
  return untilAborted(answer, context.signal, () => {
    context.late?.(answer);
    return givenUp();
  });
}

/** The same answer. It counts as late, as with {@link runInTime}, where the caller goes while a store waits for it. */
export function inTime<T>({ context }: Pick<Write, 'context'>, answer: T | Promise<T>): T | Promise<T> {
  if (!(answer instanceof Promise) || !context.late) return answer;
  const { signal } = context;
  const tell = () => context.late?.(answer);
  if (signal.aborted) tell();
  signal.addEventListener('abort', tell, { once: true });
  const forget = () => signal.removeEventListener('abort', tell);
  answer.then(forget, forget);
  return answer;
}

const givenUp = (): Error =>
  interpretStoreError(new StoreError('aborted', 'the caller waits no longer'), 'write') as Error;
