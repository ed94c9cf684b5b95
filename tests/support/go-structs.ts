import type { JsonObject, JsonValue } from '../../src/json/value.js';

/** A struct as upstream's tables contain it. */
export type Go = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Go =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const EXTENSION = /^X([A-Z].*)$/;
const NAMES: Readonly<Record<string, string>> = { Schema: '$schema', Ref: '$ref', ID: 'id' };

/** Returns the value of a call of a helper function: its only argument, or a list of its arguments. */
export function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (!isRecord(value)) return value;
  const { $call, args } = value;
  if (typeof $call !== 'string') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolved(v)]));
  const given = (args as unknown[]).map(resolved);
  return $call === 'jsonSlice' ? given : given[0];
}

interface SchemaForm {
  /** Upstream's tables omit types that follow from other members. */
  readonly addTypes?: boolean;
}

/** Returns a schema that is written in Go in the form of definitions. */
export function fromGoSchema(schema: unknown, form: SchemaForm = {}): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (!isRecord(schema)) return out;
  const read = (inner: unknown) => fromGoSchema(inner, form);
  const all = (schemas: unknown) =>
    Object.fromEntries(
      Object.entries((schemas as Go | null) ?? {}).map(([name, inner]) => [name, read(inner)]),
    ) as JsonObject;
  for (const [name, member] of Object.entries(schema)) {
    if (['Generic', 'Extensions', 'ValueValidation', 'JSONSchemaProps'].includes(name))
      Object.assign(out, fromGoSchema(member)); // types are added once, below
    else if (['Properties', 'PatternProperties', 'Definitions'].includes(name)) out[lower(name)] = all(member);
    else if (name === 'Dependencies')
      out['dependencies'] = Object.fromEntries(
        Object.entries(member as Go).map(([key, value]) => [
          key,
          (isRecord(value) && value['Property']) || read(isRecord(value) ? value['Schema'] : {}),
        ]),
      ) as JsonObject;
    else if (name === 'Items')
      out['items'] =
        isRecord(member) && Array.isArray(member['JSONSchemas'])
          ? member['JSONSchemas'].map(read)
          : read(isRecord(member) && 'Schema' in member ? member['Schema'] : member);
    else if (name === 'AdditionalProperties' || name === 'AdditionalItems') {
      const { Structural, Schema, Bool, Allows } = member as Go;
      out[lower(name)] = Structural || Schema ? read(Structural ?? Schema) : ((Bool ?? Allows ?? false) as boolean);
    } else if (name === 'Default')
      out['default'] = (isRecord(member) && 'Object' in member ? member['Object'] : member) as JsonValue;
    else if (['AllOf', 'AnyOf', 'OneOf'].includes(name)) out[lower(name)] = (member as unknown[]).map(read);
    else if (name === 'Not') out['not'] = read(member);
    else if (name === 'XValidations')
      out['x-kubernetes-validations'] = listOf(member).map((one) => ({ rule: '', ...(lowered(one) as JsonObject) }));
    else if (EXTENSION.test(name))
      out[`x-kubernetes-${name.slice(1).replace(/[A-Z]/g, (c, i) => (i === 0 ? '' : '-') + c.toLowerCase())}`] =
        member as JsonValue;
    else out[NAMES[name] ?? lower(name)] = member as JsonValue;
  }
  if (form.addTypes && out['type'] === undefined && out['x-kubernetes-int-or-string'] === undefined) {
    if (
      out['properties'] !== undefined ||
      out['additionalProperties'] !== undefined ||
      out['x-kubernetes-embedded-resource']
    )
      out['type'] = 'object';
    else if (out['items'] !== undefined) out['type'] = 'array';
  }
  return out;
}

const listOf = (list: unknown): unknown[] => ((isRecord(list) ? list['v'] : list) as unknown[] | null) ?? [];

const WORD: Readonly<Record<string, string>> = { URL: 'url', CABundle: 'caBundle', JSONPath: 'jsonPath' };

/** Returns a struct with the names of its members in JSON. */
export function lowered(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(lowered);
  if (!isRecord(value)) return value as JsonValue;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      WORD[name] ?? lower(name),
      name === 'CABundle' ? btoa(String(member)) : lowered(member),
    ]),
  ) as JsonObject;
}
