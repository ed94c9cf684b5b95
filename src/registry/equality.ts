import type { ApiObject } from '../meta/object-meta.js';

/** Deep equality of JSON values; identical subtrees are not looked into. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  if (Array.isArray(b)) return false;
  let size = 0;
  for (const [name, value] of Object.entries(a)) {
    if (value === undefined) continue;
    size++;
    if (!Object.hasOwn(b, name) || !sameValue(value, (b as Record<string, unknown>)[name])) return false; // own, checked
  }
  for (const value of Object.values(b)) if (value !== undefined) size--;
  return size === 0;
}

/**
 * Whether a write changes nothing but when fields were owned: then nothing is written and the version stays
 * (gap file 2.2.6).
 */
export function sameIgnoringOwnershipTimes(a: ApiObject, b: ApiObject): boolean {
  if (a === b) return true;
  const { metadata: aMeta, ...aRest } = a;
  const { metadata: bMeta, ...bRest } = b;
  if (!sameValue(aRest, bRest)) return false;
  if (aMeta === bMeta) return true;
  return sameValue(withoutTimes(aMeta), withoutTimes(bMeta));
}

function withoutTimes(metadata: ApiObject['metadata'] | undefined): unknown {
  if (metadata?.managedFields === undefined) return metadata;
  return { ...metadata, managedFields: metadata.managedFields.map((entry) => ({ ...entry, time: undefined })) };
}
