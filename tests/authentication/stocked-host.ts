import type { Host } from '../../src/meta/host.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { fakeHost } from './host.js';

/** A fake host whose listers know these objects, by plural name. Objects may be changed between calls. */
export function stockedHost(objects: Record<string, ApiObject[]>, start?: string) {
  const host = fakeHost(start);
  const lister = (_group: string, resource: string) => ({
    get: (namespace: string, name: string) =>
      objects[resource]?.find((each) => (each.metadata.namespace ?? '') === namespace && each.metadata.name === name),
    list: (namespace?: string) =>
      (objects[resource] ?? []).filter((each) => namespace === undefined || each.metadata.namespace === namespace),
    byIndex: () => [],
    onChange: () => () => undefined,
  });
  return { ...host, lister: lister as unknown as Host['lister'] };
}

export function object(kind: string, metadata: ApiObject['metadata'], rest: object = {}): ApiObject {
  return { apiVersion: 'v1', kind, metadata, ...rest };
}

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Data of a secret, from text. */
export function secretData(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)]));
}
