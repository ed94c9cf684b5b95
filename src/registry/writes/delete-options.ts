import type { ApiObject } from '../../meta/object-meta.js';

/** How an object is to be deleted (spec 7.2). */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/**
 * The finalizers of an object once the collector's two follow what was asked for (spec 7.6).
 * @param kind whether its dependents stay when neither the request nor the object says anything, and whether it has any
 */
export function finalizersFor(
  object: ApiObject,
  { orphanDependents, propagationPolicy }: DeleteOptions,
  kind: { readonly orphansDependents?: boolean; readonly hasNoDependents?: boolean },
): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  const has = (name: string) => present.includes(name);
  const wanted =
    propagationPolicy ?? (orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background');
  const asked = kind.hasNoDependents ? 'Background' : wanted;
  const orphan = asked === undefined ? has(ORPHAN) || (kind.orphansDependents && !has(FOREGROUND)) : asked === 'Orphan';
  const foreground = asked === undefined ? has(FOREGROUND) : asked === 'Foreground';
  if (orphan === has(ORPHAN) && foreground === has(FOREGROUND)) return present;
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  return [...others, ...(orphan ? [ORPHAN] : []), ...(foreground ? [FOREGROUND] : [])];
}
