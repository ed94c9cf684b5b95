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

/** A copy with some metadata replaced; members given as undefined are left out. */
export function withMetadata<T extends ApiObject>(object: T, changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined }): T {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete metadata[name];
    else metadata[name] = value;
  }
  return { ...object, metadata: orderedMetadata(metadata) };
}

const METADATA_ORDER = [
  'name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp',
  'deletionGracePeriodSeconds', 'labels', 'annotations', 'ownerReferences', 'finalizers', 'managedFields',
] as const; // biome-ignore format: one list

/** The wire's order of metadata, whatever order it was put together in. */
function orderedMetadata(metadata: Record<string, unknown>): ObjectMeta {
  const ordered: Record<string, unknown> = {};
  for (const name of METADATA_ORDER) if (metadata[name] !== undefined) ordered[name] = metadata[name];
  return ordered;
}
