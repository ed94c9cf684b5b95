import type { ObjectSchema, Schema } from '../schema/schema.js';
import { strategicError } from './strategic-errors.js';

/** The rules by which strategic merge patches apply to one field. */
export interface PatchField {
  /** The field's schema; for a list, the schema of its items. */
  readonly schema: Schema;
  readonly strategy: 'merge' | 'replace' | undefined;
  /** The merge key of a list of objects; '' when the list has no merge key. */
  readonly mergeKey: string;
}

/** The schema of unknown fields that are preserved, and of everything in them: objects merge, lists are replaced. */
const SCHEMALESS: ObjectSchema = { type: 'object', properties: new Map(), preserveUnknown: true };

/**
 * Returns the rules for a field that holds an object.
 * @throws ApiError 500 when the schema does not have the field.
 */
export function objectField(schema: Schema, name: string): PatchField {
  if (schema.type === 'any') throw strategicError.noSuchField(structName(schema, 'RawExtension'), name);
  if (schema.type !== 'object') throw strategicError.notStruct(kindOf(schema));
  const property = schema.properties.get(name);
  if (property === undefined) {
    if (schema.preserveUnknown === true) return { schema: SCHEMALESS, strategy: undefined, mergeKey: '' };
    throw strategicError.noSuchField(structName(schema, 'Object'), name);
  }
  const [strategy] = (property.patchStrategy ?? []).filter((each) => each !== 'retainKeys');
  return { schema: property.schema, strategy, mergeKey: property.patchMergeKey ?? '' };
}

/**
 * Returns the rules for a field that holds a list.
 * @throws ApiError 500 when the schema does not have the field, or the field is not a list.
 */
export function listField(schema: Schema, name: string): PatchField {
  const field = objectField(schema, name);
  if (field.schema === SCHEMALESS) return field;
  if (field.schema.type !== 'list') throw strategicError.notList();
  if (field.schema.items.type === 'list') throw strategicError.fieldOfLists();
  return { ...field, schema: field.schema.items };
}

/** Returns the Go kind of a schema as messages print it. */
export function kindOf(schema: Schema): string {
  switch (schema.type) {
    case 'map':
      return 'map';
    case 'list':
      return 'slice';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'integer':
      return schema.format;
    case 'number':
      return 'float64';
    default:
      return 'struct';
  }
}

function structName(schema: Schema & { readonly definition?: string | undefined }, fallback: string): string {
  return schema.definition?.split('.').at(-1) ?? fallback;
}
