import type { ApiObject } from '../meta/object-meta.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { Entry, Storage } from '../store/storage.js';

/** Matches the first line of a saved file, a YAML comment that does not belong to any document. */
const HEADER = /^# Saved by orch-apiserver at revision (\d+)\./;
/** The maximum number of digits of a revision. The resourceVersions of stored objects have the same maximum. */
const REVISION_DIGITS = 15;
/** Matches characters that JSON allows unescaped and YAML does not. */
const NOT_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The keys of the objects that a server created by itself, each with the object's revision at that time. */
export type OwnObjects = Map<string, number>;

/**
 * Returns all stored objects as YAML documents in JSON syntax. Objects that every server creates at its start are omitted, unless they were
 * changed or a saved object contains their uid.
 */
export function saveState(
  storage: Storage<ApiObject>,
  resources: readonly ServedResource[],
  own: ReadonlyMap<string, number>,
): string {
  const entries = resources.flatMap(({ keyPrefix }) => storage.list(keyPrefix).entries);
  const texts = new Map<Entry<ApiObject>, string>();
  const named = new Set<string>();
  const add = (entry: Entry<ApiObject>) => {
    const { value } = entry;
    const text = JSON.stringify(value, null, 2).replace(NOT_YAML, escapeCharacter);
    for (const [uid] of text.matchAll(UID)) if (uid !== value.metadata.uid) named.add(uid);
    texts.set(entry, text);
  };
  for (const entry of entries) if (own.get(entry.key) !== entry.revision) add(entry);
  let left = entries.filter((entry) => !texts.has(entry));
  // An object that is added because of a reference may contain further uids, so the search is repeated.
  for (let wanted = left; wanted.length > 0; left = left.filter((entry) => !texts.has(entry))) {
    wanted = left.filter(({ value }) => named.has(value.metadata.uid ?? ''));
    for (const entry of wanted) add(entry);
  }
  const inOrder = entries.flatMap((entry) => texts.get(entry) ?? []);
  return [`# Saved by orch-apiserver at revision ${storage.revision}.`, ...inOrder].join('\n---\n').concat('\n');
}

const escapeCharacter = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns the revision in the header of a saved file; undefined for text without the header.
 * @throws TypeError for a revision that leaves no room for later ones.
 */
export function savedRevision(text: string): number | undefined {
  const [, revision] = HEADER.exec(text) ?? [];
  if (revision === undefined) return undefined;
  if (revision.length > REVISION_DIGITS)
    throw new TypeError(`the saved state has the revision ${revision}, which is too large`);
  return Number(revision);
}
