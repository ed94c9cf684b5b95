import type { ApiObject } from '../../meta/object-meta.js';

/** The options of a deletion (spec 7.2). */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/**
 * Returns the finalizers of an object with the garbage collector's two finalizers set as the options ask (spec 7.6).
 * @param kind whether its dependents are orphaned by default, and whether it never has dependents
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
      ? has(ORPHAN) || (kind.orphansDependents && !has(FOREGROUND))
      : effectivePolicy === 'Orphan';
  const foreground = effectivePolicy === undefined ? has(FOREGROUND) : effectivePolicy === 'Foreground';
  if (orphan === has(ORPHAN) && foreground === has(FOREGROUND)) return present;
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  return [...others, ...(orphan ? [ORPHAN] : []), ...(foreground ? [FOREGROUND] : [])];
}
