import type { ApiObject } from '../../meta/object-meta.js';
import { decodeBase64Text } from '../../values/base64.js';

/** A Secret as far as tokens need it. */
export interface SecretObject extends ApiObject {
  readonly type?: string;
  /** Bytes by key, base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** A value of a secret as text; '' when there is none. */
export function secretText({ data }: SecretObject, key: string): string {
  const encoded = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
  return encoded === undefined ? '' : decodeBase64Text(encoded);
}
