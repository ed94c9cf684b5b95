import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import { formatGroupKind, type GroupResource } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Entry, Update } from '../../store/storage.js';
import { inOrderOf } from '../served/served-form.js';
import { requestedKey, type ServedResource } from '../served/served-resource.js';
import type { DeleteOptions } from './delete-options.js';
import { cascadeDeletion, type DeletionPhase, deletionPhase, requestedGracePeriod } from './deletion-phase.js';
import { runDeletionAdmission } from './prepare.js';
import { trackWhenAbandoned, updateStored, type Write } from './write.js';

export interface Deleted {
  /** The last state of the removed object, or the state of the object that finalizers keep. */
  readonly object: ApiObject;
  /** Whether the object is gone from the store. */
  readonly removed: boolean;
}

/** Runs the first phase of a deletion, and the second when no finalizer or grace period keeps the object (spec 7.1). */
export async function deleteObject(write: Write, options: DeleteOptions): Promise<Deleted> {
  const { context, target } = write;
  const { form, resource } = write.environment;
  const key = requestedKey(resource, target.namespace, target.name);
  const outcome: Outcome = { phase: undefined, admitted: undefined };
  const { entry } = await updateStored(write, key, (current) =>
    trackWhenAbandoned(write, run(tryDelete({ ...write, options }, current, outcome))),
  );
  const { phase, admitted = write } = outcome;
  if (!entry || !phase) throw apiError.notFound(resource.groupResource, target.name);
  const removed = phase.outcome === 'goes' || phase.outcome === 'goesMarked';
  if (context.dryRun) return { object: inOrderOf(resource, phase.next), removed };
  const { value } = (phase.outcome === 'goesMarked' && (await removeMarked(admitted, key, entry))) || entry;
  if (form.ready) await form.ready([value]);
  const object = form.fromStorage(value);
  if (removed) await cascadeDeletion(write, object);
  return { object, removed };
}

interface Deletion extends Write {
  readonly options: DeleteOptions;
}

/** The result of the latest attempt to commit a deletion. After a conflict, the next attempt overwrites it. */
interface Outcome {
  phase: DeletionPhase | undefined;
  /** The write that admission saw. */
  admitted: Write | undefined;
}

function* tryDelete(
  deletion: Deletion,
  entry: Entry<ApiObject> | undefined,
  outcome: Outcome,
): Flow<Update<ApiObject>> {
  const { context, target, options } = deletion;
  const { resource, form } = deletion.environment;
  if (!entry) throw apiError.notFound(resource.groupResource, target.name);
  if (form.ready) yield* settled(form.ready([entry.value]));
  const current = form.fromStorage(entry.value);
  resource.definition.strategy?.validateDelete?.(current, context, options);
  requirePreconditions(resource, current, options);
  const phase = deletionPhase(resource, context, current, options);
  outcome.phase = phase;
  if (phase.outcome !== 'pending') {
    outcome.admitted = withCompletedOptions(deletion, current);
    yield* runDeletionAdmission(outcome.admitted, current);
  }
  if (context.dryRun || phase.outcome === 'pending') return { action: 'keep' };
  if (phase.outcome === 'goes') return { action: 'delete', value: yield* settled(form.toStorage(phase.next)) };
  if (equalJson(current, phase.next)) return { action: 'keep' };
  return { action: 'put', value: yield* settled(form.toStorage(phase.next)), beyondQuota: true };
}

/**
 * Returns the write with the options that admission sees. As in upstream, they are complete: they contain the grace period that was decided
 * on and, for kinds that define `beginDeletion`, the uid as a precondition. For the DELETE of a collection, admission sees the options as
 * they were sent.
 */
function withCompletedOptions(deletion: Deletion, current: ApiObject): Write {
  const { environment, target, options } = deletion;
  if (target.ofCollection) return deletion;
  const { strategy } = environment.resource.definition;
  const { uid, deletionTimestamp } = current.metadata;
  const requested = requestedGracePeriod(options);
  const decided = deletionTimestamp === undefined ? strategy?.gracePeriod?.(current, requested) : undefined;
  const gracePeriodSeconds = decided ?? requested;
  const completed = {
    ...target.options,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(strategy?.beginDeletion ? { preconditions: { uid, ...options.preconditions } } : {}),
  };
  return { ...deletion, target: { ...target, options: completed } };
}

/**
 * Runs the second phase of a two-phase deletion. As in upstream, admission sees the marked object, too. Returns the removed object with the
 * resourceVersion of the removal; undefined when a concurrent write prevented the removal.
 * @throws ApiError when admission refuses the removal; the object then stays marked.
 */
async function removeMarked(
  write: Write,
  key: string,
  { value: { metadata } }: Entry<ApiObject>,
): Promise<Entry<ApiObject> | undefined> {
  const { form } = write.environment;
  function* tryRemove(entry: Entry<ApiObject> | undefined): Flow<Update<ApiObject>> {
    if (!entry || entry.value.metadata.uid !== metadata.uid) return { action: 'keep' };
    if ((entry.value.metadata.finalizers?.length ?? 0) > 0) return { action: 'keep' };
    if (form.ready) yield* settled(form.ready([entry.value]));
    yield* runDeletionAdmission(write, form.fromStorage(entry.value));
    return { action: 'delete' };
  }
  const { entry, outcome } = await updateStored(write, key, (current) =>
    trackWhenAbandoned(write, run(tryRemove(current))),
  );
  return outcome === 'deleted' ? entry : undefined;
}

/** Checks the preconditions of a deletion. @throws ApiError 409 when the object has another uid or resourceVersion (spec 7.3). */
export function requirePreconditions(
  { gvk }: Pick<ServedResource, 'gvk'>,
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  const refuse = (why: string) =>
    apiError.conflict(
      { group: gvk.group, resource: formatGroupKind({ group: '', kind: gvk.kind }) },
      metadata.name ?? '',
      why,
    );
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

/**
 * Checks the preconditions like {@link requirePreconditions}, with the message of upstream's storage layer, which checks them for the kinds
 * that define `beginDeletion`.
 * @throws ApiError 409 when the object has another uid or resourceVersion.
 */
export function requireStoredPreconditions(
  resource: GroupResource,
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  for (const [name, of] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const expected = preconditions?.[name];
    if (expected !== undefined && expected !== metadata[name])
      throw apiError.conflict(
        resource,
        metadata.name ?? '',
        `Precondition failed: ${of} in precondition: ${expected}, ${of} in object meta: ${metadata[name]}`,
      );
  }
}
