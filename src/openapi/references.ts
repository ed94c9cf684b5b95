import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { yieldIfDue } from '../meta/flow.js';

/** Maximum depth of an aggregated API server's document. A deeper document is refused. */
const MAX_DEPTH = 200;
const SHARED = ['definitions', 'parameters'] as const;

/** A section of a document to which references such as `#/definitions/x` point. */
export type Section = (typeof SHARED)[number];

export const sectionOf = (document: JsonObject, section: Section | 'paths'): JsonObject => {
  const members = document[section];
  return isJsonObject(members) ? members : {};
};

const REFERENCE = /^#\/(definitions|parameters)\/(.+)$/;

/** Returns all references in a value, as they are written. @throws Error when the value exceeds the maximum depth. */
export function referencesIn(value: JsonValue | undefined, maxLevels = Number.POSITIVE_INFINITY): Set<string> {
  const found = new Set<string>();
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [each, depth] = next;
    if (typeof each !== 'object' || each === null) continue;
    if (depth > maxLevels) throw new Error(`the document has more than ${MAX_DEPTH} levels`);
    if (isJsonObject(each as JsonValue) && typeof (each as JsonObject)['$ref'] === 'string')
      found.add((each as { readonly $ref: string }).$ref);
    for (const member of Object.values(each)) open.push([member, depth + 1]);
  }
  return found;
}

/** Caches the references of each member of a document, so that every member is searched once. */
class MemberReferences {
  readonly #document: JsonObject;
  readonly #found = new Map<JsonValue | undefined, ReadonlySet<string>>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  async of(member: JsonValue | undefined, maxLevels = MAX_DEPTH): Promise<ReadonlySet<string>> {
    const turn = yieldIfDue();
    if (turn) await turn;
    let found = this.#found.get(member);
    if (!found) this.#found.set(member, (found = referencesIn(member, maxLevels)));
    return found;
  }

  /** Returns all references in some path items, and in the definitions to which these refer directly or indirectly. */
  async from(paths: JsonObject): Promise<ReadonlySet<string>> {
    const used = new Set<string>();
    const add = async (member: JsonValue | undefined, maxLevels?: number) => {
      for (const reference of await this.of(member, maxLevels)) used.add(reference);
    };
    // The depth of a path item is counted from `paths`, which is one level above it.
    for (const item of Object.values(paths)) await add(item, MAX_DEPTH - 1);
    // The loop adds to the set while iterating, so indirect references are followed, too.
    for (const reference of used) {
      const [, section, name = ''] = REFERENCE.exec(reference) ?? [];
      if (section !== undefined) await add(sectionOf(this.#document, section as Section)[name]);
    }
    return used;
  }
}

/**
 * Returns a document with only the paths for which `keep` returns true. Definitions to which only removed paths referred are dropped;
 * definitions without any reference stay. The function yields to other requests.
 * @throws Error when the document is nested too deep.
 */
export async function withPaths(document: JsonObject, keep: (path: string) => boolean): Promise<JsonObject> {
  const all = sectionOf(document, 'paths');
  const paths: JsonObject = Object.fromEntries(Object.entries(all).filter(([path]) => keep(path)));
  const references = new MemberReferences(document);
  const before = await references.from(all);
  const after = await references.from(paths);
  const referencedSections: Record<string, JsonObject> = {};
  for (const section of SHARED) {
    const entries = Object.entries(sectionOf(document, section));
    // Every member is searched, so that a member that is too deep is refused even if no path uses it.
    for (const [, value] of entries) await references.of(value);
    referencedSections[section] = Object.fromEntries(
      entries.filter(([name]) => {
        const reference = `#/${section}/${name}`;
        return after.has(reference) || !before.has(reference);
      }),
    );
  }
  return { paths, ...referencedSections };
}

/** Replaces references in a value. The depth of the value was checked when its document was read. */
export function withReferences(value: JsonValue, renamed: ReadonlyMap<string, string>): JsonValue {
  if (renamed.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withReferences(each, renamed));
  const entries = Object.entries(value as JsonObject).map(([name, each]): [string, JsonValue] => {
    const other = name === '$ref' && typeof each === 'string' ? renamed.get(each) : undefined;
    return [name, other ?? withReferences(each ?? null, renamed)];
  });
  return Object.fromEntries(entries);
}
