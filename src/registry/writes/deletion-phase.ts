import { formatTime } from '../../meta/clock.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { edit, withMetadata } from '../edit.js';
import type { RequestContext } from '../request-context.js';
import type { ServedResource } from '../served/served-resource.js';
import { type DeleteOptions, finalizersFor } from './delete-options.js';
import type { Write } from './write.js';

/** The effect of a deletion on an object. */
export interface DeletionPhase {
  readonly next: ApiObject;
  /**
   * - `stays`: a finalizer, a grace period or the strategy of the kind keeps the object;
   * - `pending`: an earlier deletion has not ended, because its grace period is running and this deletion does not shorten it, or because
   *   the strategy of the kind returned `pending`. Nothing changes and admission does not run;
   * - `goes`: the object is removed at once;
   * - `goesMarked`: the object is removed, but watchers receive `next` first, because the kind has graceful deletion.
   */
  readonly outcome: 'stays' | 'pending' | 'goes' | 'goesMarked';
}

/** Computes the first phase of a deletion: marks the object, or finds that it can be removed at once (spec 7.1). */
export function deletionPhase(
  { definition }: ServedResource,
  context: RequestContext,
  current: ApiObject,
  options: DeleteOptions,
): DeletionPhase {
  if (definition.strategy?.beginDeletion) return ownPhase(definition.strategy.beginDeletion, context, current, options);
  const grace = gracefulMark(definition.strategy?.gracePeriod, context, current, options);
  if (grace === 'running') return { next: current, outcome: 'pending' };
  const finalizers = finalizersFor(current, options, definition);
  const held = finalizers.length > 0;
  // If the options removed the last finalizers, the object without finalizers is not stored before it is removed.
  if (!grace && !held) return { next: current, outcome: 'goes' };
  const next = withMark(
    current,
    grace ?? { deletionTimestamp: formatTime(context.host.clock.now()), deletionGracePeriodSeconds: 0 },
    {
      finalizers,
      replacesMark: grace !== undefined,
    },
  );
  return { next, outcome: held || (grace?.deletionGracePeriodSeconds ?? 0) > 0 ? 'stays' : 'goesMarked' };
}

/** Computes the phase for kinds that define `beginDeletion`. */
function ownPhase(
  begin: NonNullable<NonNullable<ServedResource['definition']['strategy']>['beginDeletion']>,
  context: RequestContext,
  current: ApiObject,
  options: DeleteOptions,
): DeletionPhase {
  const finalizers = finalizersFor(current, options, {});
  const { deletionTimestamp = formatTime(context.host.clock.now()) } = current.metadata;
  const mark = { finalizers: finalizers.length > 0 ? finalizers : undefined, deletionTimestamp };
  let verdict = 'keep' as ReturnType<typeof begin>;
  // As in upstream, the mark does not increase the generation of these kinds.
  const next = edit(withMetadata(current, mark), (draft) => {
    verdict = begin(draft, current, context, options);
  });
  if (verdict === 'pending') return { next: current, outcome: 'pending' };
  return verdict === 'remove' && finalizers.length === 0
    ? { next: current, outcome: 'goes' }
    : { next, outcome: 'stays' };
}

interface Mark {
  readonly deletionTimestamp: string;
  readonly deletionGracePeriodSeconds?: number;
}

/**
 * Returns the deletionTimestamp and the grace period of an object whose kind has graceful deletion. A running grace period may be
 * shortened, never extended. Returns undefined when there is no grace period, and `running` when the values of an earlier deletion stay.
 */
function gracefulMark(
  gracePeriod: NonNullable<ServedResource['definition']['strategy']>['gracePeriod'],
  { host }: RequestContext,
  current: ApiObject,
  options: DeleteOptions,
): Mark | 'running' | undefined {
  if (!gracePeriod) return undefined;
  const requested = requestedGracePeriod(options);
  const { deletionTimestamp, deletionGracePeriodSeconds: running } = current.metadata;
  if (deletionTimestamp === undefined) {
    const seconds = gracePeriod(current, requested);
    return seconds === undefined ? undefined : markAt(host.clock.now(), seconds);
  }
  // An earlier deletion without a grace period waits for finalizers only, so this deletion removes the object unless it has finalizers.
  if (running === undefined || running === 0) return undefined;
  if (requested === undefined || requested >= running) return 'running';
  return markAt(Date.parse(deletionTimestamp) - running * 1000, requested);
}

/** Returns the requested grace period in seconds. A negative one counts as 1 second. */
export const requestedGracePeriod = ({ gracePeriodSeconds }: DeleteOptions): number | undefined =>
  gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;

const markAt = (start: number, seconds: number): Mark => ({
  deletionTimestamp: formatTime(start + seconds * 1000),
  deletionGracePeriodSeconds: seconds,
});

/**
 * Returns the object with the given finalizers and with `mark` in its metadata. An existing deletionTimestamp is replaced only if
 * `replacesMark` is true.
 */
function withMark(
  current: ApiObject,
  mark: Mark,
  { finalizers, replacesMark }: { readonly finalizers: readonly string[]; readonly replacesMark: boolean },
): ApiObject {
  const { deletionTimestamp, generation = 0 } = current.metadata;
  const first = deletionTimestamp === undefined;
  return withMetadata(current, {
    finalizers: finalizers.length > 0 ? finalizers : undefined,
    ...(first || replacesMark ? mark : {}),
    ...(first && generation > 0 ? { generation: generation + 1 } : {}),
  });
}

/**
 * Removes the objects of other kinds that are deleted together with an object (`cascadesTo`). The object itself is already gone, so a
 * failure is only logged.
 */
export async function cascadeDeletion({ environment, context }: Write, { metadata }: ApiObject): Promise<void> {
  const { definition, dialect } = environment.resource;
  const { namespace = '', name = '' } = metadata;
  for (const { groupStem, version, plural } of definition.cascadesTo ?? []) {
    const store = context.kinds.find(groupOf(dialect, groupStem), version, plural);
    await store?.remove(context, namespace, name).catch((error: unknown) => {
      context.host.log(
        `${plural} ${namespace}/${name} was not deleted with its ${definition.singular}: ${String(error)}`,
      );
    });
  }
}
