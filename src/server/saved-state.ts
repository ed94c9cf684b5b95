import type { ApiObject } from '../meta/object-meta.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { Entry, Storage } from '../store/storage.js';

/** The first line of a saved text: comments are no part of its documents. */
const HEADER = /^# Saved by orch-apiserver at revision (\d+)\./;
/** As those of objects that were stored. */
const REVISION_DIGITS = 15;
/** Characters of JSON texts that YAML wants escaped. */
const NOT_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What a server made by itself: the revision of each object, by key. */
export type OwnObjects = Map<string, number>;

/** Adds what was written after a revision. */
export function noteOwn(own: OwnObjects, storage: Storage<ApiObject>, prefix: string, after: number): void {
  for (const { key, revision } of storage.list(prefix).entries) if (revision > after) own.set(key, revision);
}

/**
 * All objects, as they are stored, as YAML documents that are JSON. Those that every server makes at its start are left out,
 * unless they were changed or another object names their uid.
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
  // Those that are named may name others.
  for (let wanted = left; wanted.length > 0; left = left.filter((entry) => !texts.has(entry))) {
    wanted = left.filter(({ value }) => named.has(value.metadata.uid ?? ''));
    for (const entry of wanted) add(entry);
  }
  const inOrder = entries.flatMap((entry) => texts.get(entry) ?? []);
  return [`# Saved by orch-apiserver at revision ${storage.revision}.`, ...inOrder].join('\n---\n').concat('\n');
}

const escapeCharacter = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The revision at which a text was saved; undefined for other texts.
 * @throws TypeError for one that leaves no room for others.
 */
export function savedRevision(text: string): number | undefined {
  const [, revision] = HEADER.exec(text) ?? [];
  if (revision === undefined) return undefined;
  if (revision.length > REVISION_DIGITS) throw new TypeError(`the text was not saved at a revision of ${revision}`);
  return Number(revision);
}
