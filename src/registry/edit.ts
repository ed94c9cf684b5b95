import { Immer } from 'immer';
import type { ApiObject, ObjectMeta } from '../meta/object-meta.js';
import type { Draft } from './strategy.js';

// An own instance: the embedding program's immer settings stay its own.
const immer = new Immer({ autoFreeze: true });

/** A changed copy of a frozen object that shares all that the recipe leaves alone. */
export function edit<T extends ApiObject>(object: T, recipe: (draft: Draft<T>) => void): T {
  return immer.produce(object, (draft) => {
    recipe(draft as unknown as Draft<T>); // immer's own Draft type says the same
  });
}

const METADATA_ORDER: readonly (keyof ObjectMeta)[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/** A copy with some metadata replaced, in the wire's order; members given as undefined are left out. */
export function withMetadata<T extends ApiObject>(
  object: T,
  changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): T {
  const metadata: Record<string, unknown> = {};
  for (const name of METADATA_ORDER) {
    const value = name in changes ? changes[name] : object.metadata[name];
    if (value !== undefined) metadata[name] = value;
  }
  return { ...object, metadata };
}
