import { NumberText } from './number-text.js';

/** Returns the type of a JSON value as decoding errors print it; undefined counts as null. */
export function jsonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value instanceof NumberText ? 'number' : 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
