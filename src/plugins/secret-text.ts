import type { Secret } from '../resources/core/core-v1.types.js';
import { decodeBase64Text } from '../values/base64.js';

/** Returns a value of a secret as a string; '' when it is absent. */
export function secretText({ data }: Secret, key: string): string {
  const encoded = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
  return encoded === undefined ? '' : decodeBase64Text(encoded);
}
