import type { Schema } from './schema.js';

/**
 * Returns the Go type of a schema as decoding errors print it: `string`, `[]v1.ObjectReference`, `map[string]string`. A definition is
 * printed as `version.Name`, its last two parts.
 */
export function typeNameOf(schema: Schema): string {
  if (schema.typeName !== undefined) return schema.typeName;
  if (schema.definition !== undefined) return schema.definition.split('.').slice(-2).join('.');
  switch (schema.type) {
    case 'list':
      return `[]${typeNameOf(schema.items)}`;
    case 'map':
      return `map[string]${typeNameOf(schema.values)}`;
    case 'object':
      return 'struct {}';
    case 'string':
      return schema.format === 'byte' ? '[]uint8' : 'string';
    case 'integer':
      return schema.format;
    case 'number':
      return schema.format === 'float' ? 'float32' : 'float64';
    case 'boolean':
      return 'bool';
    default:
      return 'interface {}';
  }
}
