import { equalJson } from '../json/equal.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { referencesIn, type Section, sectionOf, withPaths, withReferences } from './references.js';

const KINDS = /^x-.*-group-version-kind$/;

/**
 * An OpenAPI 2.0 document with the paths of others, each in its turn. A path that is there already stays as it is; a definition whose name
 * means something else gets another one, with a number (spec 24.6), and so do those that refer to it.
 */
export function mergeOpenApiV2(own: JsonObject, others: readonly JsonObject[]): JsonObject {
  return others.reduce(merge, own);
}

function merge(own: JsonObject, other: JsonObject): JsonObject {
  const paths = sectionOf(own, 'paths');
  const added = withPaths(other, (path) => !Object.hasOwn(paths, path));
  const addedPaths = sectionOf(added, 'paths');
  // Without a path nothing of it is in use.
  if (Object.keys(addedPaths).length === 0) return own;
  const renamed = new Map<string, string>();
  const definitions = merged('definitions', own, added, renamed);
  const parameters = merged('parameters', own, added, renamed);
  const renew = (section: ReadonlyMap<string, JsonValue>) =>
    Object.fromEntries([...section].map(([name, value]) => [name, withReferences(value, renamed)]));
  return {
    ...own,
    paths: { ...paths, ...(withReferences(addedPaths, renamed) as JsonObject) },
    definitions: { ...sectionOf(own, 'definitions'), ...renew(definitions) },
    parameters: { ...sectionOf(own, 'parameters'), ...renew(parameters) },
  };
}

/** What is to be added to a section, under its new names; those that change are noted. */
function merged(
  section: Section,
  own: JsonObject,
  added: JsonObject,
  renamed: Map<string, string>,
): ReadonlyMap<string, JsonValue> {
  const known = sectionOf(own, section);
  const coming = sectionOf(added, section);
  const next = new Map<string, JsonValue>();
  const others = differing(section, known, coming);
  for (const [name, value] of Object.entries(coming)) {
    if (value === undefined) continue;
    let free = name;
    for (
      let i = 2;
      Object.hasOwn(known, free) && (free === name ? others.has(name) : !isSame(known[free], value));
      i++
    ) {
      free = `${name}_v${i}`;
      while (Object.hasOwn(coming, free)) free = `${name}_v${++i}`;
    }
    if (free !== name) renamed.set(`#/${section}/${name}`, `#/${section}/${free}`);
    next.set(free, Object.hasOwn(known, free) ? withKindsOf(known[free], value) : value);
  }
  return next;
}

/** The names that mean something else than what is known by them: what they say differs, or what they refer to does. */
function differing(section: Section, known: JsonObject, coming: JsonObject): ReadonlySet<string> {
  const shared = Object.entries(coming).filter(([name]) => Object.hasOwn(known, name));
  const others = new Set<string>();
  for (const [name, value] of shared) if (value !== undefined && !isSame(known[name], value)) others.add(name);
  if (others.size === 0) return others;
  const referring = new Map<string, string[]>();
  for (const [name, value] of shared)
    for (const reference of referencesIn(value)) {
      const names = referring.get(reference);
      if (names) names.push(name);
      else referring.set(reference, [name]);
    }
  // Grows while it is gone through.
  for (const name of others) for (const each of referring.get(`#/${section}/${name}`) ?? []) others.add(each);
  return others;
}

/** Whether two definitions say the same, but for the kinds that they list. */
const isSame = (a: JsonValue | undefined, b: JsonValue): boolean => equalJson(withoutKinds(a), withoutKinds(b));

const withoutKinds = (value: JsonValue | undefined): JsonValue | undefined =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !KINDS.test(name))) : value;

/** A definition with the kinds of both. */
function withKindsOf(known: JsonValue | undefined, other: JsonValue): JsonValue {
  if (!isJsonObject(known) || !isJsonObject(other)) return other;
  const name = [...Object.keys(known), ...Object.keys(other)].find((each) => KINDS.test(each));
  if (name === undefined) return known;
  const kinds: JsonValue[] = [];
  for (const each of [known[name], other[name]])
    if (Array.isArray(each)) for (const kind of each) if (!kinds.some((has) => equalJson(has, kind))) kinds.push(kind);
  return { ...known, [name]: kinds };
}
