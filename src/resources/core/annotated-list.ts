import { jsonTypeName } from '../../json/number-text.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { structSchema, type Typed } from '../../schema/authoring.js';
import { decodeTyped } from '../../schema/decode.js';
import { parseJson } from '../../serialization/json/decode.js';
import { messageOf } from '../../values/message-of.js';

/** The type of the items of a list in an annotation, and how they are validated. */
interface Item<T> {
  readonly type: Typed<T>;
  /** The name of the type in error messages. */
  readonly kind: string;
  /** Returns the validation errors of the items at a path. */
  readonly validate: (items: readonly T[], path: string) => readonly FieldError[];
}

/**
 * Returns the validation errors of an annotation at `path` that contains a list of structs. Such an annotation was used before the spec had
 * a field for the list. It has no effect, but upstream still validates it. An absent or empty annotation is valid.
 */
export function validateAnnotatedList<T>(
  path: string,
  annotations: Readonly<Record<string, string>>,
  name: string,
  { type, kind, validate }: Item<T>,
): readonly FieldError[] {
  const text = Object.hasOwn(annotations, name) ? (annotations[name] ?? '') : '';
  if (text === '') return [];
  let items: readonly T[];
  try {
    items = annotatedList(text, type, kind);
  } catch (error) {
    return [fieldError.invalid(path, name, messageOf(error))];
  }
  return validate(items, `${path}.${name}`);
}

/**
 * Parses the JSON list of structs in an annotation. @param kind the name of the struct in error messages. @throws Error with upstream's
 * message
 */
export function annotatedList<T>(text: string, item: Typed<T>, kind: string): readonly T[] {
  const { value } = parseJson(new TextEncoder().encode(text));
  if (value === null) return [];
  if (!Array.isArray(value))
    throw new TypeError(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type []${kind}`);
  const schema = structSchema(item);
  const names = new Map([...schema.properties.keys()].map((name) => [name.toLowerCase(), name]));
  return value.map((each: JsonValue) => {
    // Member names may have any case, because upstream reads annotations with Go's JSON decoder and not with the one for requests.
    const named = isJsonObject(each)
      ? Object.fromEntries(
          Object.entries(each).map(([name, member]) => [names.get(name.toLowerCase()) ?? name, member]),
        )
      : each;
    return decodeTyped(schema, named).value as unknown as T; // `T` is the output type of the schema, so the cast is safe.
  });
}
