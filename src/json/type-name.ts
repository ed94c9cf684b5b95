import { NumberText } from './number-text.js';

/** How decoding errors name the type of a JSON value; what is absent counts as null. */
export function jsonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value instanceof NumberText ? 'number' : 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
