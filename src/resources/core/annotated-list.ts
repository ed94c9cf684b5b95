import { jsonTypeName } from '../../json/type-name.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { structSchema, type Typed } from '../../schema/authoring.js';
import { decodeTyped } from '../../schema/decode.js';
import { parseJson } from '../../serialization/json/decode.js';

/**
 * The structs that an annotation lists, as some were written before a spec had them. `kind` is what messages name them.
 * @throws Error with the text of the wire
 */
export function annotatedList<T>(text: string, item: Typed<T>, kind: string): readonly T[] {
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
