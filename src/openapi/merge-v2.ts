import { equalJson } from '../json/equal.js';
import { canonicalJson } from '../json/order.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { mapYielding, yieldIfDue } from '../meta/flow.js';
import type { Sections } from './document-parts.js';
import { changedEntry, type Entry, entryOf, readEntry } from './entry.js';
import { referencesIn, type Section, sectionOf, withPaths, withReferences } from './references.js';

const KINDS = /^x-.*-group-version-kind$/;

const read = new WeakMap<JsonObject, Promise<Sections>>();

/**
 * Returns the sections of an aggregated API server's OpenAPI 2.0 document, without the paths in `known`. If no path has to be left out, the
 * sections are cached.
 */
export async function otherSections(document: JsonObject, known: ReadonlyMap<string, Entry>): Promise<Sections> {
  const isFree = (path: string) => !known.has(path);
  if (!Object.keys(sectionOf(document, 'paths')).every(isFree)) return readSections(await withPaths(document, isFree));
  let sections = read.get(document);
  if (!sections) read.set(document, (sections = readSections(document)));
  return sections;
}

async function readSections(document: JsonObject): Promise<Sections> {
  const entriesOf = async (section: Section | 'paths') => {
    const entries = await mapYielding(Object.entries(sectionOf(document, section)), ([name, value = null]) => ({
      ...entryOf(name, value),
      value,
    }));
    return new Map(entries.map((entry) => [entry.name, entry]));
  };
  return {
    paths: await entriesOf('paths'),
    schemas: await entriesOf('definitions'),
    parameters: await entriesOf('parameters'),
  };
}

/**
 * Adds the sections of an aggregated API server's OpenAPI 2.0 document, whose paths must all be new. If the name of an added schema or
 * parameter is already in use for other content, it gets a numbered name (spec 24.6), and so does every added definition that refers to it.
 */
export async function mergeSections(own: Sections, added: Sections): Promise<void> {
  // Without paths, none of the document's definitions is used, so nothing is added.
  if (added.paths.size === 0) return;
  const renamed = new Map<string, string>();
  const schemas = await mergeSection('definitions', own.schemas, added.schemas, renamed);
  const parameters = await mergeSection('parameters', own.parameters, added.parameters, renamed);
  const renew = async (section: Map<string, Entry>, entries: Iterable<Entry>) => {
    for (const entry of entries) {
      const turn = yieldIfDue();
      if (turn) await turn;
      section.set(entry.name, withNewReferences(entry, renamed));
    }
  };
  await renew(own.paths, added.paths.values());
  await renew(own.schemas, schemas);
  await renew(own.parameters, parameters);
}

/** Returns the entries to add to a section, under their final names. Changed names are added to `renamed`. */
async function mergeSection(
  section: Section,
  known: ReadonlyMap<string, Entry>,
  coming: ReadonlyMap<string, Entry>,
  renamed: Map<string, string>,
): Promise<readonly Entry[]> {
  const next: Entry[] = [];
  const others = await findDifferences(section, known, coming);
  for (const [name, entry] of coming) {
    let free = name;
    let existing = known.get(name);
    for (let i = 2; existing && (free === name ? others.has(name) : !isSame(existing, entry)); i++) {
      const turn = yieldIfDue();
      if (turn) await turn;
      free = `${name}_v${i}`;
      while (coming.has(free)) free = `${name}_v${++i}`;
      existing = known.get(free);
    }
    if (free !== name) renamed.set(`#/${section}/${name}`, `#/${section}/${free}`);
    if (existing) next.push(withKindsOf(existing, entry));
    else next.push(free === name ? entry : changedEntry(entry, free, readEntry(entry)));
  }
  return next;
}

/**
 * Returns the names that are already in use for a different definition. Definitions differ if their own content differs, or the content of
 * a definition to which they refer directly or indirectly.
 */
async function findDifferences(
  section: Section,
  known: ReadonlyMap<string, Entry>,
  coming: ReadonlyMap<string, Entry>,
): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  const shared: Entry[] = [];
  for (const [name, entry] of coming) {
    const existing = known.get(name);
    if (!existing) continue;
    const turn = yieldIfDue();
    if (turn) await turn;
    shared.push(entry);
    if (!isSame(existing, entry)) others.add(name);
  }
  if (others.size === 0) return others;
  const referring = new Map<string, string[]>();
  for (const entry of shared) {
    const turn = yieldIfDue();
    if (turn) await turn;
    for (const reference of referencesOf(entry)) {
      const names = referring.get(reference);
      if (names) names.push(entry.name);
      else referring.set(reference, [entry.name]);
    }
  }
  // The loop adds to the set while iterating, so indirect references are followed, too.
  for (const name of others) for (const referrer of referring.get(`#/${section}/${name}`) ?? []) others.add(referrer);
  return others;
}

/** Returns whether two entries are equal, apart from their `x-kubernetes-group-version-kind`. */
const isSame = (a: Entry, b: Entry): boolean =>
  isSameText(a, b) || equalJson(withoutKinds(readEntry(a)), withoutKinds(readEntry(b)));

const isSameText = (a: Entry, b: Entry): boolean =>
  a.json.length === b.json.length && a.json.every((byte, i) => byte === b.json[i]);

const withoutKinds = (value: JsonValue): JsonValue =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !KINDS.test(name))) : value;

/**
 * Returns the entry `known` with the kinds (`x-kubernetes-group-version-kind`) of `other` added. Apart from the kinds, the two entries must
 * be equal.
 */
function withKindsOf(known: Entry, other: Entry): Entry {
  if (isSameText(known, other)) return known;
  const [own, added] = [readEntry(known), readEntry(other)];
  if (!isJsonObject(own) || !isJsonObject(added)) return changedEntry(other, known.name, added);
  const name = [...Object.keys(own), ...Object.keys(added)].find((each) => KINDS.test(each));
  if (name === undefined) return known;
  const kinds = new Map<string, JsonValue>();
  for (const each of [own[name], added[name]])
    if (Array.isArray(each)) {
      for (const kind of each as readonly JsonValue[]) {
        const text = canonicalJson(kind);
        if (!kinds.has(text)) kinds.set(text, kind);
      }
    }
  return changedEntry(known, known.name, { ...own, [name]: [...kinds.values()] });
}

const references = new WeakMap<Entry, ReadonlySet<string>>();

function referencesOf(entry: Entry): ReadonlySet<string> {
  let names = references.get(entry);
  if (!names) references.set(entry, (names = referencesIn(readEntry(entry))));
  return names;
}

function withNewReferences(entry: Entry, renamed: ReadonlyMap<string, string>): Entry {
  if (renamed.size === 0 || ![...referencesOf(entry)].some((each) => renamed.has(each))) return entry;
  return changedEntry(entry, entry.name, withReferences(readEntry(entry), renamed));
}
