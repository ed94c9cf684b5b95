import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { giveWay } from '../meta/flow.js';

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

/** All references within a value, as they are written. @throws Error for a value of more levels than there may be. */
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

/** What the members of a document refer to, by the member: each is looked at once. */
class MemberReferences {
  readonly #document: JsonObject;
  readonly #found = new Map<JsonValue | undefined, ReadonlySet<string>>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  async of(member: JsonValue | undefined, maxLevels = MAX_DEPTH): Promise<ReadonlySet<string>> {
    const turn = giveWay();
    if (turn) await turn;
    let found = this.#found.get(member);
    if (!found) this.#found.set(member, (found = referencesIn(member, maxLevels)));
    return found;
  }

  /** What is referred to from some paths, directly or not. */
  async from(paths: JsonObject): Promise<ReadonlySet<string>> {
    const used = new Set<string>();
    const add = async (member: JsonValue | undefined, maxLevels?: number) => {
      for (const reference of await this.of(member, maxLevels)) used.add(reference);
    };
    // The levels of paths are counted from what holds them all.
    for (const item of Object.values(paths)) await add(item, MAX_DEPTH - 1);
    // Grows while it is gone through.
    for (const reference of used) {
      const [, section, name = ''] = REFERENCE.exec(reference) ?? [];
      if (section !== undefined) await add(sectionOf(this.#document, section as Section)[name]);
    }
    return used;
  }
}

/**
 * A document with some of its paths only: what was referred to by the others alone is left out; what nothing ever referred to stays.
 * Gives way to other requests.
 * @throws Error for a document that is nested too deep.
 */
export async function withPaths(document: JsonObject, keep: (path: string) => boolean): Promise<JsonObject> {
  const all = sectionOf(document, 'paths');
  const paths: JsonObject = Object.fromEntries(Object.entries(all).filter(([path]) => keep(path)));
  const references = new MemberReferences(document);
  const before = await references.from(all);
  const after = await references.from(paths);
  const kept: Record<string, JsonObject> = {};
  for (const section of SHARED) {
    const entries = Object.entries(sectionOf(document, section));
    // Too deep is too deep, used or not.
    for (const [, value] of entries) await references.of(value);
    kept[section] = Object.fromEntries(
      entries.filter(([name]) => {
        const reference = `#/${section}/${name}`;
        return after.has(reference) || !before.has(reference);
      }),
    );
  }
  return { paths, ...kept };
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
