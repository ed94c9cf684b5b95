import type { ApiObject } from '../meta/object-meta.js';
import { decodeBase64Text } from '../values/base64.js';

/** The fields of a Secret that tokens need. */
export interface SecretObject extends ApiObject {
  readonly type?: string;
  /** Bytes by key, base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Returns a value of a secret as text; '' when it is absent. */
export function secretText({ data }: SecretObject, key: string): string {
  const encoded = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
  return encoded === undefined ? '' : decodeBase64Text(encoded);
}
