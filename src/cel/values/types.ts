import { identifierOf, type Type } from '../typing/type.js';
import { SetView } from './lists.js';
import { MapView, ObjectView } from './maps.js';
import { Double, Uint } from './numbers.js';
import { TypeValue } from './optional.js';
import { EvaluationError, ListValue, ObjectValue, type Outcome, type Value } from './value.js';

/** Returns the name of a value's type. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Value): string {
  if (value === null) return 'null_type';
  if (value instanceof Double) return 'double';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  // To expressions, an object whose schema names its fields is a map, as in upstream.
  if (value instanceof ObjectView) return 'map';
  return value instanceof ObjectValue ? identifierOf(value.type) : 'dyn';
}

export const typeOfValue = (value: Value): TypeValue => new TypeValue(typeName(value));

/** Names by which expressions can refer to the types of the language. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

/** Returns whether a value has a type, or can be used where the type is expected. For a list only the first element is checked. */
export function hasType(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'any':
      return true;
    case 'string':
      return typeof value === 'string';
    case 'int':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'bool':
      return typeof value === 'boolean';
    case 'wrapper':
      return value === null || hasType(value, type.of);
    case 'list':
      return value instanceof ListValue && (value.size === 0 || isElement(value.at(0), type.element));
    default:
      return typeName(value) === identifierOf(type);
  }
}

const isElement = (value: Outcome, type: Type): boolean => value instanceof EvaluationError || hasType(value, type);

/** Names of types in upstream's implementation that do not follow from the name of the type. */
const IMPLEMENTATIONS: Readonly<Record<string, string>> = {
  list: '*types.baseList',
  map: '*types.baseMap',
  type: '*types.Type',
  optional_type: '*types.Optional',
  NamedFormat: 'cel.Format',
};

function listKind(list: ListValue): string {
  if (list.plus === undefined) return 'List';
  return list instanceof SetView ? 'SetList' : 'MapList';
}

/**
 * Returns the name of the value's type in upstream's implementation (`types.String`). Messages show it for values that cannot be iterated
 * or used as an index.
 */
export function implementationOf(value: Value): string {
  if (value instanceof ListValue && value.items !== undefined) return `*common.unstructured${listKind(value)}`;
  if (value instanceof ObjectView || (value instanceof MapView && value.isDeclared)) return '*common.unstructuredMap';
  const name = typeName(value);
  const last = name.slice(name.lastIndexOf('.') + 1);
  const known = IMPLEMENTATIONS[last];
  if (known !== undefined) return known;
  const isStandard = name === last || name.startsWith('google.');
  const bare = last.replace(/_type$/, '');
  return `${isStandard ? 'types' : 'cel'}.${bare.charAt(0).toUpperCase()}${bare.slice(1)}`;
}
