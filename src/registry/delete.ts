import { apiError } from '../meta/api-error.js';
import { formatTime } from '../meta/clock.js';
import { formatGroupKind } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Entry, Update } from '../store/storage.js';
import { type DeleteOptions, finalizersFor } from './delete-options.js';
import { edit, withMetadata } from './edit.js';
import { sameValue } from './equality.js';
import { admissionValidated, type WriteTarget } from './prepare.js';
import type { RequestContext } from './request-context.js';
import { objectKey, type ServedResource } from './served-resource.js';
import { interpretStoreError } from './store-errors.js';
import type { WriteEnvironment } from './write-environment.js';

export interface Deleted {
  /** As it went, or as it stays while finalizers hold it. */
  readonly object: ApiObject;
  /** Whether it is gone from the store. */
  readonly removed: boolean;
}

/** The first phase of a deletion, and the second when nothing holds the object (document 2, section 3; gap file 3.2). */
export async function deleteObject(
  environment: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  options: DeleteOptions,
): Promise<Deleted> {
  const { storage, form, resource } = environment;
  const key = objectKey(resource, target.namespace, target.name);
  let shown: Deleted | undefined;

  const tryUpdate = async (entry: Entry<ApiObject> | undefined): Promise<Update<ApiObject>> => {
    if (!entry) throw apiError.notFound(resource.groupResource, target.name);
    const current = form.fromStorage(entry.value);
    resource.definition.strategy?.validateDelete?.(current, context, options);
    requirePreconditions(resource, current, options);
    await admissionValidated(environment.admission, target, context, 'DELETE', undefined, current);
    const { next, removed } = firstPhase(resource, context, current, options);
    shown = context.dryRun ? { object: next, removed } : undefined;
    if (context.dryRun) return { action: 'keep' };
    if (removed) return { action: 'delete', value: form.toStorage(next) };
    return sameValue(current, next) ? { action: 'keep' } : { action: 'put', value: form.toStorage(next) };
  };

  try {
    const { entry, outcome } = await storage.guaranteedUpdate(key, tryUpdate, { signal: context.signal });
    if (shown) return shown;
    if (!entry) throw apiError.notFound(resource.groupResource, target.name);
    return { object: form.fromStorage(entry.value), removed: outcome === 'deleted' };
  } catch (error) {
    throw interpretStoreError(error, 'write');
  }
}

/** What the object becomes, and whether nothing holds it any more. */
function firstPhase(
  { definition }: ServedResource,
  context: RequestContext,
  current: ApiObject,
  options: DeleteOptions,
): { readonly next: ApiObject; readonly removed: boolean } {
  const { strategy } = definition;
  const grace = graceOf(strategy?.gracePeriod?.(current, options.gracePeriodSeconds), current);
  const finalizers = finalizersFor(current, options);
  const held = finalizers.length > 0 || grace > 0;
  if (!held && !strategy?.beginDeletion) return { next: current, removed: true };

  const { metadata } = current;
  const now = context.clock.now();
  const shortened = grace < (metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY);
  let next = withMetadata(current, {
    finalizers: finalizers.length > 0 ? finalizers : undefined,
    ...(metadata.deletionTimestamp === undefined || shortened
      ? { deletionTimestamp: formatTime(now + grace * 1000), ...(strategy?.beginDeletion ? {} : { deletionGracePeriodSeconds: grace }) }
      : {}),
    ...(metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0 ? { generation: (metadata.generation ?? 0) + 1 } : {}),
  });
  if (!strategy?.beginDeletion) return { next, removed: false };
  let verdict: 'remove' | 'keep' = 'keep';
  next = edit(next, (draft) => {
    verdict = strategy.beginDeletion?.(draft, current, context) ?? 'keep';
  });
  return { next, removed: (verdict as 'remove' | 'keep') === 'remove' && !held };
}

/** Seconds; a negative wish counts as 1 and a running period is never prolonged (gap file 3.1). */
function graceOf(period: number | undefined, { metadata }: ApiObject): number {
  const wanted = period === undefined ? 0 : period < 0 ? 1 : period;
  const running = metadata.deletionTimestamp === undefined ? undefined : metadata.deletionGracePeriodSeconds;
  return running === undefined ? wanted : Math.min(wanted, running);
}

/** @throws ApiError 409 when the object is not the one the caller means (gap file 3.1). */
function requirePreconditions({ gvk }: ServedResource, { metadata }: ApiObject, { preconditions }: DeleteOptions): void {
  const refuse = (why: string) =>
    apiError.conflict({ group: gvk.group, resource: formatGroupKind({ group: '', kind: gvk.kind }) }, metadata.name ?? '', why);
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid)
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). ` +
        'The object might have been deleted and then recreated',
    );
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record ` +
        `(${metadata.resourceVersion}). The object might have been modified`,
    );
}
