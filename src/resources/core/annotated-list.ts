import { jsonTypeName } from '../../json/type-name.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { structSchema, type Typed } from '../../schema/authoring.js';
import { decodeTyped } from '../../schema/decode.js';
import { parseJson } from '../../serialization/json/decode.js';
import { messageOf } from '../../values/message-of.js';

/** What the items of such a list are. */
interface Item<T> {
  readonly type: Typed<T>;
  /** What messages name the type. */
  readonly kind: string;
  /** Problems of the items at a path. */
  readonly validate: (items: readonly T[], path: string) => readonly FieldError[];
}

/**
 * Problems of an annotation among those at `path` that lists structs, as some were written before a spec had them. Nothing follows
 * from them, but they are still checked; one that is absent or empty is fine.
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

/** @throws Error with the text of the wire */
function annotatedList<T>(text: string, item: Typed<T>, kind: string): readonly T[] {
  const { value } = parseJson(new TextEncoder().encode(text));
  if (value === null) return [];
  if (!Array.isArray(value))
    throw new TypeError(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type []${kind}`);
  const schema = structSchema(item);
  const names = new Map([...schema.properties.keys()].map((name) => [name.toLowerCase(), name]));
  return value.map((each: JsonValue) => {
    // Whatever the capitals: what reads this has no names for JSON.
    const named = isJsonObject(each)
      ? Object.fromEntries(
          Object.entries(each).map(([name, member]) => [names.get(name.toLowerCase()) ?? name, member]),
        )
      : each;
    return decodeTyped(schema, named).value as unknown as T; // by its schema
  });
}
