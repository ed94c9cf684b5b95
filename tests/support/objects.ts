import type { ApiObject } from '../../src/meta/object-meta.js';

export function object(kind: string, metadata: ApiObject['metadata'], rest: object = {}): ApiObject {
  return { apiVersion: 'v1', kind, metadata, ...rest };
}

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Returns the data of a Secret from text. */
export function secretData(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)]));
}
