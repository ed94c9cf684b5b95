import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';

/** Levels of a document of another server: more is no document. */
const MAX_DEPTH = 200;
const SHARED = ['definitions', 'parameters'] as const;

/** What the parts of a document may refer to, by section and name: `#/definitions/x`. */
export type Section = (typeof SHARED)[number];

export const sectionOf = (document: JsonObject, section: Section | 'paths'): JsonObject => {
  const found = document[section];
  return isJsonObject(found) ? found : {};
};

const REFERENCE = /^#\/(definitions|parameters)\/(.+)$/;

/** All references within a value, as they are written. @throws Error for a value that is nested too deep. */
export function referencesIn(value: JsonValue | undefined): Set<string> {
  const found = new Set<string>();
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [each, depth] = next;
    if (typeof each !== 'object' || each === null) continue;
    if (depth > MAX_DEPTH) throw new Error(`the document has more than ${MAX_DEPTH} levels`);
    if (isJsonObject(each as JsonValue) && typeof (each as JsonObject)['$ref'] === 'string')
      found.add((each as { readonly $ref: string }).$ref);
    for (const member of Object.values(each)) open.push([member, depth + 1]);
  }
  return found;
}

/** What is referred to from some paths, directly or not. */
function usedFrom(document: JsonObject, paths: JsonObject): Set<string> {
  const used = referencesIn(paths);
  // Grows while it is gone through.
  for (const reference of used) {
    const [, section, name = ''] = REFERENCE.exec(reference) ?? [];
    if (section === undefined) continue;
    for (const further of referencesIn(sectionOf(document, section as Section)[name])) used.add(further);
  }
  return used;
}

/**
 * A document with some of its paths only: what was referred to by the others alone is left out; what nothing ever referred to stays.
 * @throws Error for a document that is nested too deep.
 */
export function withPaths(document: JsonObject, keep: (path: string) => boolean): JsonObject {
  const all = sectionOf(document, 'paths');
  const paths: JsonObject = Object.fromEntries(Object.entries(all).filter(([path]) => keep(path)));
  const before = usedFrom(document, all);
  const after = usedFrom(document, paths);
  const shared = SHARED.map((section) => {
    const entries = Object.entries(sectionOf(document, section)).filter(([name, value]) => {
      referencesIn(value);
      const reference = `#/${section}/${name}`;
      return after.has(reference) || !before.has(reference);
    });
    return [section, Object.fromEntries(entries)];
  });
  return { paths, ...Object.fromEntries(shared) };
}

/** A value with other references in it. Its depth is that of a document that was read before. */
export function withReferences(value: JsonValue, renamed: ReadonlyMap<string, string>): JsonValue {
  if (renamed.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withReferences(each, renamed));
  const entries = Object.entries(value as JsonObject).map(([name, each]): [string, JsonValue] => {
    const other = name === '$ref' && typeof each === 'string' ? renamed.get(each) : undefined;
    return [name, other ?? withReferences(each ?? null, renamed)];
  });
  return Object.fromEntries(entries);
}
