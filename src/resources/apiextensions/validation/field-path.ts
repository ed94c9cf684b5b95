import type { JSONSchemaProps } from '../json-schema-props.js';
import { propertiesOf, valuesOf } from './schema-parts.js';

/** A field that a simple path leads to. */
export interface FoundField {
  /** As errors show it: `.spec.a[key]`, without the dot at its start. */
  readonly path: string;
  /** Undefined where nothing is known of it. */
  readonly schema: JSONSchemaProps | undefined;
}

// The field of a path `.a['b.c'].d`: delimiters are tokens of their own, and so are quoted names.
const TOKENS = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gy;
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/**
 * Follows a path of names and keys through a schema.
 * @param options.keys whether names in brackets are allowed. Default true.
 * @returns the field, or why there is none
 */
export function followPath(
  text: string,
  schema: JSONSchemaProps,
  { keys = true }: { readonly keys?: boolean } = {},
): FoundField | string {
  const tokens = text.match(TOKENS) ?? [];
  const found: { path: string; schema: JSONSchemaProps | undefined } = { path: '', schema };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token !== '[' && token !== '.') return `expected [ or . but got: ${token}`;
    if (token === '[' && !keys) return 'array notation is not allowed';
    const name = tokens[++i];
    if (name === undefined) return 'unexpected end of JSON path';
    if (token === '.') {
      if (!step(found, name)) return NO_FIELD;
      continue;
    }
    if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'"))
      return `expected single quoted string but got ${name}`;
    const plain = plainText(name.slice(1, -1));
    if (typeof plain !== 'string') return `invalid string literal: invalid escape char ${plain.wrong}`;
    if (!step(found, plain)) return NO_FIELD;
    const end = tokens[++i];
    if (end === undefined) return 'unexpected end of JSON path';
    if (end !== ']') return `expected ] but got ${end}`;
  }
  return found;
}

const NO_FIELD = 'does not refer to a valid field';

function step(at: { path: string; schema: JSONSchemaProps | undefined }, name: string): boolean {
  const { schema } = at;
  if (schema === undefined) return false;
  const named = propertiesOf(schema).length > 0;
  const property = named ? ownProperty(schema, name) : valuesOf(schema);
  if (property === undefined) return false;
  at.path = named ? (at.path === '' ? name : `${at.path}.${name}`) : `${at.path}[${name}]`;
  at.schema = property;
  return true;
}
const ownProperty = ({ properties = {} }: JSONSchemaProps, name: string): JSONSchemaProps | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

function plainText(text: string): string | { readonly wrong: string } {
  let wrong: string | undefined;
  const plain = text.replace(/\\(.)/gs, (written, directive: string) => {
    const character = ESCAPES[directive];
    if (character === undefined) wrong ??= written;
    return character ?? '';
  });
  return wrong === undefined ? plain : { wrong };
}
