import type { JsonObject } from '../../../json/value.js';
import type { Dialect } from '../../../meta/dialect.js';
import { type FieldError, fieldError } from '../../../meta/field-error.js';
import type { ObjectMeta } from '../../../meta/object-meta.js';
import {
  list,
  type OutputOf,
  omitEmpty,
  omitNull,
  string,
  struct,
  structSchema,
  time,
} from '../../../schema/authoring.js';
import { decodeTyped } from '../../../schema/decode.js';
import { ownerReference } from '../../../schema/object-meta-schema.js';
import { parseJson } from '../../../serialization/json/decode.js';
import { messageOf } from '../../../values/message-of.js';

const text = string();
const signature = struct('io.k8s.api.core.v1.PodSignature', 'Which pods are meant.', () => ({
  podController: omitNull(ownerReference, 1, 'Who controls them.'),
}));
const entry = struct('io.k8s.api.core.v1.PreferAvoidPodsEntry', 'Pods that the node would rather not run.', () => ({
  podSignature: omitNull(signature, 1, 'The pods.'),
  evictionTime: omitNull(time(), 2, 'When they went.'),
  reason: omitEmpty(text, 3, 'Why, in one word.'),
  message: omitEmpty(text, 4, 'Why, for people.'),
}));
const avoidPods = struct('io.k8s.api.core.v1.AvoidPods', 'Pods that the node would rather not run.', () => ({
  preferAvoidPods: omitEmpty(list(entry), 1, 'The pods.'),
}));

/**
 * Returns the problems of the node annotation that lists pods to avoid. The annotation has no effect, but the reference still validates it.
 */
export function validateAvoidedPods({ annotations = {} }: ObjectMeta, { labelDomain }: Dialect): FieldError[] {
  const name = `scheduler.alpha.${labelDomain}/preferAvoidPods`;
  const written = Object.hasOwn(annotations, name) ? (annotations[name] ?? '') : '';
  if (written === '') return [];
  let entries: readonly OutputOf<typeof entry>[];
  try {
    entries = readEntries(written);
  } catch (error) {
    return [fieldError.invalid('metadata.annotations.AvoidPods', name, messageOf(error))];
  }
  return entries.flatMap(({ podSignature }, i) => {
    const path = `metadata.annotations.${name}[${i}].PodSignature`;
    const controller = podSignature?.podController;
    if (!controller) return [fieldError.required(path)];
    if (controller.controller === true) return [];
    return [fieldError.invalid(`${path}.PodController.Controller`, false, 'must point to a controller')];
  });
}

/** Parses the annotation. @throws Error with the reference's text */
function readEntries(written: string): readonly OutputOf<typeof entry>[] {
  const { value } = parseJson(new TextEncoder().encode(written));
  const decoded: JsonObject = decodeTyped(structSchema(avoidPods), value).value;
  return (decoded as unknown as OutputOf<typeof avoidPods>).preferAvoidPods ?? []; // decoded with the schema
}
