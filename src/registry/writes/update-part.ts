import type { ServedPart } from '../served/served-part.js';
import { partTransform } from '../transforms/part.js';
import { type Transform, type Updated, type UpdateTarget, updateObject } from './update.js';
import type { Write } from './write.js';

interface PartOptions {
  /** Uid the stored object must have (a PUT body's). */
  readonly uid?: string | undefined;
  /** The transform tracks ownership itself (apply). */
  readonly ownsFields?: boolean;
}

/**
 * Changes a stored object through one of its parts, under the rules of the whole object.
 * @param make makes the transform of the part for the given target
 * @throws what the transform throws, and ApiError as every update.
 */
export async function updatePart(
  write: Write,
  served: ServedPart,
  make: (target: UpdateTarget) => Transform,
  { uid, ownsFields = false }: PartOptions = {},
): Promise<Updated> {
  const { environment, target } = write;
  const { resource, view, show } = served;
  const ofPart: Write = { ...write, target: { ...target, resource }, environment: { ...environment, resource } };
  const ofWhole: Write = { ...write, target: { ...target, subresource: '' } };
  const transform = partTransform(ofPart, served, make(ofPart.target), ownsFields);
  const { object, created } = await updateObject(ofWhole, transform, {
    mayCreate: false,
    ownsFields: true,
    part: { write: ofPart, view },
    ...(uid === undefined ? {} : { uid }),
  });
  return { object: show(object), created };
}
