import { sizeOfText } from './text.js';
import { ObjectValue, type Outcome } from './value.js';

/** Returns the size of a value for actual costs: characters, bytes or elements; 1 for values without a size. */
export function costSize(value: Outcome): number {
  if (typeof value === 'string') return sizeOfText(value);
  if (value === null || typeof value !== 'object') return 1;
  if (value instanceof ObjectValue) return value.costSize;
  return value instanceof Uint8Array ? value.length : 1;
}
