import { jsonTypeName } from '../../../../json/type-name.js';
import { isJsonObject, type JsonValue } from '../../../../json/value.js';

import { type FieldError, fieldError } from '../../../../meta/field-error.js';
import { structSchema } from '../../../../schema/authoring.js';
import { decodeTyped } from '../../../../schema/decode.js';
import { parseJson } from '../../../../serialization/json/decode.js';
import { messageOf } from '../../../../values/message-of.js';
import { type Toleration, toleration } from '../pod-spec.js';
import { validateTolerations } from './pod-scheduling-validation.js';

/**
 * Problems of tolerations in an annotation, as they were written before the spec had them. Nothing follows from them, but
 * they are still checked.
 */
export function validateTolerationAnnotation(path: string, name: string, text: string): FieldError[] {
  let tolerations: readonly Toleration[];
  try {
    tolerations = readTolerations(text);
  } catch (error) {
    return [fieldError.invalid(path, name, messageOf(error))];
  }
  return validateTolerations(tolerations, `${path}.${name}`);
}

/** @throws Error with the text of the wire */
function readTolerations(text: string): readonly Toleration[] {
  const { value } = parseJson(new TextEncoder().encode(text));
  if (value === null) return [];
  if (!Array.isArray(value))
    throw new TypeError(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type []core.Toleration`);
  const schema = structSchema(toleration);
  const names = new Map([...schema.properties.keys()].map((name) => [name.toLowerCase(), name]));
  return value.map((item: JsonValue) => {
    // Whatever the capitals: what reads this has no names for JSON.
    const named = isJsonObject(item)
      ? Object.fromEntries(
          Object.entries(item).map(([name, member]) => [names.get(name.toLowerCase()) ?? name, member]),
        )
      : item;
    return decodeTyped(schema, named).value as unknown as Toleration; // by its schema
  });
}
