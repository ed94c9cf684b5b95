import type { JSONSchemaProps } from '../resources/apiextensions/json-schema-props.js';
import { isTypedMetadata } from '../schema/object-meta-schema.js';
import { openApiToSchema } from '../schema/openapi-to-schema.js';
import type { ObjectSchema, Schema } from '../schema/schema.js';

/** The schema of a custom kind, prepared for validation. */
export interface KindSchema {
  readonly schema: ObjectSchema;
  /** The restrictions of the definition on metadata, for example on the name; undefined without any. */
  readonly metadata: Schema | undefined;
  readonly hasRules: boolean;
}

/** Reads the schema of a version. @throws TypeError for a schema whose type is not object */
export function readKindSchema(props: JSONSchemaProps): KindSchema {
  const schema = openApiToSchema(props);
  if (schema.type !== 'object') throw new TypeError('the schema must be an object');
  const metadata = schema.properties.get('metadata')?.schema;
  const restricts = metadata?.type === 'object' && metadata.properties.size > 0 && !isTypedMetadata(metadata);
  return { schema, metadata: restricts ? metadata : undefined, hasRules: hasRules(schema) };
}

function hasRules(schema: Schema): boolean {
  if (schema.rules !== undefined) return true;
  if (schema.type === 'list') return hasRules(schema.items);
  if (schema.type === 'map') return hasRules(schema.values);
  return schema.type === 'object' && [...schema.properties.values()].some(({ schema: inner }) => hasRules(inner));
}
