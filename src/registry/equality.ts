import { equalJson } from '../meta/equal-json.js';
import type { ApiObject } from '../meta/object-meta.js';

/**
 * Whether a write changes nothing but when fields were owned: then nothing is written and the version stays
 * (gap file 2.2.6).
 */
export function sameIgnoringOwnershipTimes(a: ApiObject, b: ApiObject): boolean {
  if (a === b) return true;
  const { metadata: aMeta, ...aRest } = a;
  const { metadata: bMeta, ...bRest } = b;
  if (!equalJson(aRest, bRest)) return false;
  if (aMeta === bMeta) return true;
  return equalJson(withoutTimes(aMeta), withoutTimes(bMeta));
}

function withoutTimes(metadata: ApiObject['metadata'] | undefined): unknown {
  if (metadata?.managedFields === undefined) return metadata;
  return { ...metadata, managedFields: metadata.managedFields.map((entry) => ({ ...entry, time: undefined })) };
}
