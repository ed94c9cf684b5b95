import type { JsonObject } from '../../src/json/value.js';
import {
  describeReference,
  describeRoot,
  type NamedSchema,
  type OpenApiOptions,
  type OpenApiRoot,
  type SchemaReference,
} from '../../src/schema/openapi.js';

/** Returns the schemas of some roots, with everything that they refer to, by name. */
export function openApiSchemas(roots: readonly OpenApiRoot[], options: OpenApiOptions): Record<string, JsonObject> {
  const made: Record<string, JsonObject> = {};
  const references = new Map<string, SchemaReference>();
  const add = (schema: NamedSchema) => {
    made[schema.name] = schema.value;
    for (const each of schema.references) references.set(each.name, references.get(each.name) ?? each);
  };
  for (const root of roots) add(describeRoot(root, options));
  for (const reference of references.values())
    if (!Object.hasOwn(made, reference.name)) add(describeReference(reference, options));
  return made;
}
