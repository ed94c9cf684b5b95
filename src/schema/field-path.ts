import type { Schema } from './schema.js';

/** The field to which a path leads. */
export interface FoundField<S> {
  /** The path as errors print it: `spec.a[key]`. */
  readonly path: string;
  readonly schema: S;
}

/**
 * Returns how to find the child schemas of a schema: by the name of a property, or as one schema for the values of all keys. Returns
 * undefined for a schema without children.
 */
export type SchemaBelow<S> = (
  schema: S,
) => { readonly property: (name: string) => S | undefined } | { readonly values: S } | undefined;

/** Returns the children of a {@link Schema}. */
export const belowSchema: SchemaBelow<Schema> = (schema) => {
  if (schema.type === 'map') return { values: schema.values };
  return schema.type === 'object' && schema.properties.size > 0
    ? { property: (name) => schema.properties.get(name)?.schema }
    : undefined;
};

// Matches the tokens of a path like `.a['b.c'].d`: delimiters, quoted names and plain names.
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
 * Follows a path of names and keys through a schema: `.a['b.c'].d`.
 * @param options.keys whether names in brackets are allowed. Default true.
 * @returns the field, or the reason why the path leads to no field
 */
export function followPath<S>(
  text: string,
  schema: S,
  below: SchemaBelow<S>,
  { keys = true }: { readonly keys?: boolean } = {},
): FoundField<S> | string {
  const tokens = text.match(TOKENS) ?? [];
  let found: FoundField<S> | undefined = { path: '', schema };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token !== '[' && token !== '.') return `expected [ or . but got: ${token}`;
    if (token === '[' && !keys) return 'array notation is not allowed';
    const name = tokens[++i];
    if (name === undefined) return 'unexpected end of JSON path';
    if (token === '.') {
      found = step(found, name, below);
      if (!found) return NO_FIELD;
      continue;
    }
    if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'"))
      return `expected single quoted string but got ${name}`;
    const plain = plainText(name.slice(1, -1));
    if (typeof plain !== 'string') return `invalid string literal: invalid escape char ${plain.wrong}`;
    found = step(found, plain, below);
    if (!found) return NO_FIELD;
    const end = tokens[++i];
    if (end === undefined) return 'unexpected end of JSON path';
    if (end !== ']') return `expected ] but got ${end}`;
  }
  return found;
}

const NO_FIELD = 'does not refer to a valid field';

function step<S>({ path, schema }: FoundField<S>, name: string, below: SchemaBelow<S>): FoundField<S> | undefined {
  const members = below(schema);
  if (members === undefined) return undefined;
  if ('values' in members) return { path: `${path}[${name}]`, schema: members.values };
  const property = members.property(name);
  return property && { path: path === '' ? name : `${path}.${name}`, schema: property };
}

function plainText(text: string): string | { readonly wrong: string } {
  let wrong: string | undefined;
  const plain = text.replace(/\\(.)/gs, (written, directive: string) => {
    const character = ESCAPES[directive];
    if (character === undefined) wrong ??= written;
    return character ?? '';
  });
  return wrong === undefined ? plain : { wrong };
}
