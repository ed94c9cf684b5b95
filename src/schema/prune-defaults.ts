import { isJsonObject, type JsonValue } from '../json/value.js';
import { readEmbedded } from './decode-structural.js';
import { prune } from './prune.js';
import type { Property, Schema } from './schema.js';

/** The metadata of an embedded object around a value: builds it from the value, and finds the value in it again. */
interface Surrounding {
  readonly build: (value: JsonValue) => JsonValue;
  readonly find: (metadata: unknown) => unknown;
}

const METADATA: Surrounding = { build: (value) => value, find: (metadata) => metadata };
const memberOf = ({ build, find }: Surrounding, name: string): Surrounding => ({
  build: (value) => build({ [name]: value }),
  find(metadata) {
    const object = find(metadata);
    return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  },
});
const itemOf = ({ build, find }: Surrounding): Surrounding => ({
  build: (value) => build([value]),
  find(metadata) {
    const list = find(metadata);
    return Array.isArray(list) ? list[0] : undefined;
  },
});

/**
 * Returns a schema with pruned defaults (spec 21.3): like a request, they lose the fields of an embedded object's metadata that ObjectMeta
 * does not declare, although validation accepts them. Returns the same schema if nothing was dropped.
 * @param around the metadata that contains the values of the schema; undefined outside of the metadata of embedded objects
 */
export function pruneDefaults(schema: Schema, around?: Surrounding): Schema {
  const whole = pruneParts(schema, around);
  const { default: own, ...rest } = whole;
  if (own === undefined) return whole;
  // The metadata is built from JSON, so its members are JSON and the cast is safe.
  const kept = around
    ? (around.find(readEmbedded('metadata', around.build(own))) as JsonValue | undefined)
    : prune(schema, own, { embeddedField: readEmbedded, keepsNull: true });
  if (kept === own) return whole;
  // Only the default differs, so the result is a schema of the same type.
  return Object.freeze(kept === undefined ? rest : { ...rest, default: kept }) as Schema;
}

function pruneParts(schema: Schema, around: Surrounding | undefined): Schema {
  if (schema.type === 'list') {
    const items = pruneDefaults(schema.items, around && itemOf(around));
    return items === schema.items ? schema : Object.freeze({ ...schema, items });
  }
  if (schema.type === 'map') {
    const values = pruneDefaults(schema.values, around && memberOf(around, '*'));
    return values === schema.values ? schema : Object.freeze({ ...schema, values });
  }
  if (schema.type !== 'object') return schema;
  const changed = new Map<string, Property>();
  for (const [name, property] of schema.properties) {
    const isMetadata = schema.embeddedResource === true && name === 'metadata';
    const inner = pruneDefaults(property.schema, isMetadata ? METADATA : around && memberOf(around, name));
    if (inner !== property.schema) changed.set(name, Object.freeze({ ...property, schema: inner }));
  }
  if (changed.size === 0) return schema;
  return Object.freeze({ ...schema, properties: new Map([...schema.properties, ...changed]) });
}
