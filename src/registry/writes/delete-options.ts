import { isJsonObject, type JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { readDryRun } from '../../meta/query.js';

/** The options of a deletion (spec 7.2). */
export interface DeleteOptions {
  /** The time in seconds that the object has to end; 0 deletes at once. Default: the kind's own. */
  readonly gracePeriodSeconds?: number;
  /** The uid and resourceVersion that the object must have; otherwise the deletion is refused with 409. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Whether dependents stay. Deprecated in favor of `propagationPolicy`. */
  readonly orphanDependents?: boolean;
  /** What happens to dependents: they stay, or are deleted after the object, or before it. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/**
 * Returns the finalizers of an object, after `orphan` and `foregroundDeletion` are added or removed according to the options (spec 7.6).
 * @param kind whether dependents are orphaned by default, and whether objects of the kind never have dependents
 */
export function finalizersFor(
  object: ApiObject,
  { orphanDependents, propagationPolicy }: DeleteOptions,
  kind: { readonly orphansDependents?: boolean; readonly hasNoDependents?: boolean },
): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  const has = (name: string) => present.includes(name);
  const requestedPolicy =
    propagationPolicy ?? (orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background');
  const effectivePolicy = kind.hasNoDependents ? 'Background' : requestedPolicy;
  const orphan =
    effectivePolicy === undefined
      ? has(ORPHAN) || (kind.orphansDependents === true && !has(FOREGROUND))
      : effectivePolicy === 'Orphan';
  const foreground = effectivePolicy === undefined ? has(FOREGROUND) : effectivePolicy === 'Foreground';
  if (orphan === has(ORPHAN) && foreground === has(FOREGROUND)) return present;
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  return [...others, ...(orphan ? [ORPHAN] : []), ...(foreground ? [FOREGROUND] : [])];
}

/** Returns the 422 for invalid options; `kind` is their kind (`DeleteOptions`). */
export const refusedOptions = (dialect: Dialect, kind: string, errors: readonly FieldError[]) =>
  apiError.invalid({ group: groupOf(dialect, 'meta'), kind }, '', errors);

/** Reads the options of a deletion from a decoded body. @throws ApiError 422. */
export function readDeleteBody(
  body: JsonValue,
  dialect: Dialect,
): { readonly options: DeleteOptions; readonly dryRun: boolean } {
  const bodyOptions = isJsonObject(body) ? body : {};
  const preconditions = isJsonObject(bodyOptions['preconditions']) ? bodyOptions['preconditions'] : undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const { gracePeriodSeconds, orphanDependents, dryRun } = bodyOptions;
  return checkDelete(
    {
      gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
      orphanDependents: typeof orphanDependents === 'boolean' ? orphanDependents : undefined,
      propagationPolicy: text(bodyOptions['propagationPolicy']),
      preconditions: preconditions && {
        uid: text(preconditions['uid']),
        resourceVersion: text(preconditions['resourceVersion']),
      },
    },
    Array.isArray(dryRun) ? dryRun.filter((v): v is string => typeof v === 'string') : [],
    dialect,
  );
}

interface RequestedDeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions:
    | { readonly uid: string | undefined; readonly resourceVersion: string | undefined }
    | undefined;
}

/** Validates the options of a deletion. @throws ApiError 422. */
export function checkDelete(requested: RequestedDeleteOptions, dryRunValues: readonly string[], dialect: Dialect) {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy, orphanDependents, gracePeriodSeconds, preconditions } = requested;
  if (policy !== undefined && orphanDependents !== undefined)
    errors.push(
      fieldError.invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  const known = policy === 'Orphan' || policy === 'Background' || policy === 'Foreground' ? policy : undefined;
  if (policy !== undefined && known === undefined)
    errors.push(fieldError.notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  const dryRun = readDryRun(dryRunValues, dialect);
  errors.push(...dryRun.errors);
  if (errors.length > 0) throw refusedOptions(dialect, 'DeleteOptions', errors);
  const options: DeleteOptions = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(known === undefined ? {} : { propagationPolicy: known }),
    ...(preconditions === undefined ? {} : { preconditions: present(preconditions) }),
  };
  return { options, dryRun: dryRun.value };
}

function present({
  uid,
  resourceVersion,
}: {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}) {
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}
