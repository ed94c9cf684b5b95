import { Immer, isDraft, original } from 'immer';
import type { ApiObject, ObjectMeta } from '../meta/object-meta.js';
import { isOfUsersKind } from '../schema/wire-order.js';
import type { Draft } from './strategy.js';

// An own instance: the embedding program's immer settings stay its own.
const immer = new Immer({ autoFreeze: true });
const lenient = new Immer({ autoFreeze: false });

/** A changed copy of a frozen object that shares all that the recipe leaves alone. */
export function edit<T extends ApiObject>(object: T, recipe: (draft: Draft<T>) => void): T {
  return immer.produce(object, (draft) => {
    recipe(draft as unknown as Draft<T>); // immer's own Draft type says the same
  });
}

/**
 * The same for the recipe of a caller: what it puts in stays the caller's, and is not frozen.
 * @throws TypeError for a recipe that waits for something, or returns the object instead of changing it: both would be lost.
 */
export function editFor<T extends ApiObject>(object: T, recipe: (draft: Draft<T>) => unknown): T {
  let returned: unknown;
  const next = lenient.produce(object, (draft) => {
    returned = recipe(draft as unknown as Draft<T>);
    if (typeof returned !== 'object' || returned === null || isDraft(returned)) returned = undefined;
  });
  if (typeof (returned as { then?: unknown } | undefined)?.then === 'function')
    throw new TypeError('the recipe must not be async: change the draft before it returns');
  if (returned !== undefined && next === object)
    throw new TypeError('the recipe changed nothing: change the draft, as what is returned is not looked at');
  return next;
}

/**
 * Edits an object that is not shared yet, in place: a draft costs several times as much. A part that it shares with a
 * stored object is frozen and refuses; then a draft is made after all, so that what is left alone stays shared. The recipe
 * may run twice and must not mind.
 */
export function editOwn<T extends ApiObject>(object: T, recipe: (draft: Draft<T>) => void): T {
  try {
    recipe(object as Draft<T>);
    return object;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return edit(object, recipe);
  }
}

/** What a draft was made of, to be read at the cost of a plain object. What the recipe has changed in it so far does not show. */
export function unedited<T extends object>(draft: T): T {
  return isDraft(draft) ? ((original(draft as never) as T | undefined) ?? draft) : draft;
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

/** A copy with another version. */
export function withVersion<T extends ApiObject>(object: T, resourceVersion: string): T {
  const { metadata } = object;
  if (metadata.resourceVersion === undefined) return withMetadata(object, { resourceVersion });
  return { ...object, metadata: { ...metadata, resourceVersion } };
}

/** The order of metadata in objects of users' kinds, which have no struct: by name. */
const METADATA_BY_NAME = METADATA_ORDER.toSorted();

/** A copy with some metadata replaced, in the wire's order; members given as undefined are left out. */
export function withMetadata<T extends ApiObject>(
  object: T,
  changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): T {
  const metadata: Record<string, unknown> = {};
  for (const name of isOfUsersKind(object) ? METADATA_BY_NAME : METADATA_ORDER) {
    const changed = changes[name];
    const old = object.metadata[name];
    if (changed !== undefined) metadata[name] = changed;
    else if (old !== undefined && !(name in changes)) metadata[name] = old;
  }
  return { ...object, metadata };
}
