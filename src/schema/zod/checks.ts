import { trustPattern } from '../constraints/patterns.js';
import type { Constraint, Schema, StringSchema } from '../schema.js';
import type { ZodCheckDef, ZodDef } from './def.js';

/** zod's names of formats with their names in OpenAPI. Other formats of zod are read as patterns. */
const FORMATS: Readonly<Record<string, string>> = { datetime: 'date-time', date: 'date', uri: 'uri', url: 'uri' };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns the schema of a zod string with its format and checks. */
export function readString(def: ZodDef): StringSchema {
  const out: Writable<StringSchema> = { type: 'string' };
  const patterns: RegExp[] = [];
  const all: readonly ZodCheckDef[] = [{ ...def, check: def.check ?? '' } as ZodCheckDef, ...checksOf(def)]; // same members
  for (const check of all) {
    if (check.check === 'min_length' && check.minimum !== undefined) out.minLength = check.minimum;
    else if (check.check === 'max_length' && check.maximum !== undefined) out.maxLength = check.maximum;
    else if (check.check === 'length_equals' && check.length !== undefined)
      out.minLength = out.maxLength = check.length;
    else if (check.check === 'string_format') {
      const format = FORMATS[check.format ?? ''];
      if (format !== undefined) out.format = format;
      else if (check.pattern instanceof RegExp) patterns.push(check.pattern);
    }
  }
  const [first, ...more] = patterns;
  if (first !== undefined) out.pattern = first.source;
  if (more.length > 0) out.allOf = Object.freeze(more.map(constraintOf));
  if (first !== undefined) trustPattern(out, first);
  return Object.freeze(out);
}
function constraintOf(expression: RegExp): Constraint {
  const constraint = Object.freeze({ pattern: expression.source });
  trustPattern(constraint, expression);
  return constraint;
}
const checksOf = (def: ZodDef) => (def.checks ?? []).map((check) => check._zod.def);

/** Returns the schema of a zod number, an integer when its format or a check requires one. */
export function readNumber(def: ZodDef): Schema {
  const checks = checksOf(def);
  const format = [def.format, ...checks.map((c) => (c.check === 'number_format' ? c.format : undefined))].find(Boolean);
  const bounds: Record<string, number | boolean> = {};
  for (const { check, value, inclusive } of checks) {
    if (typeof value !== 'number') continue;
    if (check === 'multiple_of') bounds['multipleOf'] = value;
    else if (check === 'greater_than' || check === 'less_than') {
      const side = check === 'greater_than' ? 'inimum' : 'aximum';
      bounds[`m${side}`] = value;
      if (inclusive === false) bounds[`exclusiveM${side}`] = true;
    }
  }
  if (format === 'int32') return { type: 'integer', format: 'int32', ...bounds };
  if (format === 'uint32') return { type: 'integer', format: 'int64', minimum: 0, maximum: 0xffffffff, ...bounds };
  if (format === 'safeint') return { type: 'integer', format: 'int64', plain: true, ...bounds };
  return { type: 'number', ...(format === 'float32' ? { format: 'float' as const } : {}), ...bounds };
}
