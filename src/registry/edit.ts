import { Immer, isDraft, original } from 'immer';
import { carryLeftOut } from '../json/original-members.js';
import type { ApiObject, ObjectMeta } from '../meta/object-meta.js';
import { withMember } from '../schema/json-objects.js';
import { isOfUsersKind } from '../schema/wire-order.js';
import type { Draft } from './strategy.js';

// These Immer instances are private, so that the Immer settings of the embedding program neither change nor apply here.
const immer = new Immer({ autoFreeze: true });
const lenient = new Immer({ autoFreeze: false });

/** Returns a changed copy of a frozen object. The copy shares every part that the recipe does not change. */
export function edit<T extends ApiObject>(object: T, recipe: (draft: Draft<T>) => void): T {
  return immer.produce(object, (draft) => {
    // Immer's `Draft` type makes the same members mutable as ours, so the cast is safe.
    recipe(draft as unknown as Draft<T>);
  });
}

/**
 * Works like {@link edit} for a recipe of the embedder: values that the recipe inserts belong to the embedder and are not frozen.
 * @throws TypeError for an async recipe, or for one that returns a new object instead of changing the draft, because the changes of such a
 * recipe would be lost.
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
    throw new TypeError(
      'the recipe returned a value but did not change the draft: change the draft, because its return value is ignored',
    );
  return next;
}

/**
 * Edits an object that is not shared yet in place, because a draft costs several times as much. Its frozen members, such as a spec that
 * admission has seen, are copied first, and stay shared if the recipe leaves them alone. If the recipe changes a frozen object inside such
 * a copy, the assignment throws a TypeError, and this function starts over with a draft. The recipe may therefore run twice and must be
 * idempotent.
 */
export function editOwn<T extends ApiObject>(object: T, recipe: (draft: Draft<T>) => void): T {
  const copies = copyFrozenMembers(object);
  const own = copies ? { ...object, ...copies } : object;
  try {
    recipe(own as Draft<T>);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return edit(object, recipe);
  }
  for (const name in copies) {
    const key = name as keyof T; // Every name in `copies` is the name of a member of the object, so the cast is safe.
    if (own[key] === copies[name] && hasSameMembers(copies[name], object[key])) own[key] = object[key];
  }
  return own;
}

/** Returns copies of the members that are frozen, by name; undefined if there are none. */
function copyFrozenMembers(object: ApiObject): Record<string, unknown> | undefined {
  let copies: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(object)) {
    if (typeof member !== 'object' || member === null || Array.isArray(member) || !Object.isFrozen(member)) continue;
    const copy = { ...member };
    carryLeftOut(member, copy);
    (copies ??= {})[name] = copy;
  }
  return copies;
}

function hasSameMembers(one: unknown, other: unknown): boolean {
  // One argument is a copy of the other, and only objects are copied, so the cast is safe.
  const [members, others] = [one, other] as Readonly<Record<string, unknown>>[];
  if (!members || !others || Object.keys(members).length !== Object.keys(others).length) return false;
  for (const name in members) if (members[name] !== others[name]) return false;
  return true;
}

/**
 * Returns the object from which a draft was created. Reading it is much cheaper than reading the draft, but it lacks the changes that the
 * recipe has made so far.
 */
export function originalOf<T extends object>(draft: T): T {
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

/** Returns a copy with a revision as its resourceVersion. */
export function withRevision<T extends ApiObject>(object: T, revision: number): T {
  const { metadata } = object;
  const resourceVersion = String(revision);
  if (metadata.resourceVersion === undefined) return withMetadata(object, { resourceVersion });
  return withMember(object, 'metadata', withMember(metadata, 'resourceVersion', resourceVersion));
}

/** The order of metadata in custom resources. It is by name, because upstream encodes them from a map and not from a Go struct. */
const METADATA_BY_NAME = METADATA_ORDER.toSorted();

/** Returns a copy with some metadata replaced, in the order in which upstream serializes it. Members given as undefined are removed. */
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
  return withMember(object, 'metadata', metadata as ObjectMeta); // Only members of metadata were copied.
}
